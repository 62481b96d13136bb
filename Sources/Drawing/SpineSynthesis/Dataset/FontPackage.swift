/// A Debian package of fonts and the licence that the fonts are under.
enum FontPackage {
    /// By package, as `/usr/share/doc/<package>/copyright` has it.
    private static let licences = [
        "fonts-adf-oldania": "GPL-2.0-or-later with font exception",
        "fonts-bebas-neue": "OFL-1.1",
        "fonts-blankenburg": "OFL-1.1",
        "fonts-cherrybomb": "OFL-1.1",
        "fonts-comic-neue": "OFL-1.1",
        "fonts-courier-prime": "OFL-1.1",
        "fonts-dancingscript": "OFL-1.1",
        "fonts-dejavu-core": "Bitstream Vera",
        "fonts-dosis": "OFL-1.1",
        "fonts-ebgaramond": "OFL-1.1",
        "fonts-gamaliel": "OFL-1.1",
        "fonts-gfs-didot": "OFL-1.1",
        "fonts-goudybookletter": "public domain",
        "fonts-humor-sans": "OFL-1.1",
        "fonts-kaushanscript": "OFL-1.1",
        "fonts-klaudia-berenika": "OFL-1.1",
        "fonts-lato": "OFL-1.1",
        "fonts-le-murmure": "OFL-1.1",
        "fonts-league-spartan": "OFL-1.1",
        "fonts-leckerli-one": "OFL-1.1",
        "fonts-liberation2": "OFL-1.1",
        "fonts-linuxlibertine": "OFL-1.1, or GPL-2.0-or-later with font exception",
        "fonts-lobstertwo": "OFL-1.1",
        "fonts-roboto-slab": "Apache-2.0",
        "fonts-urw-base35": "AGPL-3.0 with an exception for documents",
        "fonts-vollkorn": "OFL-1.1",
        "fonts-yanone-kaffeesatz": "OFL-1.1",
        "fonts-yusei-magic": "OFL-1.1",
    ]

    /// The licence of a package's fonts; nil when this program does not know the package.
    static func licence(of package: String) -> String? { licences[package] }
}
