/// A Debian package of fonts and the licence that the fonts are under.
enum FontPackage {
    /// By package, as `/usr/share/doc/<package>/copyright` has it.
    private static let licences = [
        "fonts-bebas-neue": "OFL-1.1",
        "fonts-blankenburg": "OFL-1.1",
        "fonts-dancingscript": "OFL-1.1",
        "fonts-dejavu-core": "Bitstream Vera",
        "fonts-ebgaramond": "OFL-1.1",
        "fonts-goudybookletter": "public domain",
        "fonts-kaushanscript": "OFL-1.1",
        "fonts-liberation2": "OFL-1.1",
        "fonts-lobstertwo": "OFL-1.1",
        "fonts-roboto-slab": "Apache-2.0",
        "fonts-urw-base35": "AGPL-3.0 with an exception for documents",
        "fonts-yanone-kaffeesatz": "OFL-1.1",
    ]

    /// The licence of a package's fonts; nil when this program does not know the package.
    static func licence(of package: String) -> String? { licences[package] }
}
