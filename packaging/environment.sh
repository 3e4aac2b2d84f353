# Sourced by the scripts beside it: a virtual environment in the checkout, made once and renewed when
# pyproject.toml changes. Everything is said on standard error, in sentences.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
venv=$root/.venv
qt_libraries="libegl1 libgl1 libxkbcommon0 libglib2.0-0 libfontconfig1 libdbus-1-3 fonts-dejavu-core"

say() { printf '%s\n' "$*" >&2; }
give_up() { say "$@"; exit 1; }

# Prints a Python of 3.11 or newer that can make virtual environments.
find_python() {
    local name incomplete=""
    for name in python3.13 python3.12 python3.11 python3; do
        "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || continue
        if "$name" -c 'import ensurepip, venv' 2>/dev/null; then
            printf '%s\n' "$name"
            return
        fi
        incomplete=${incomplete:-$("$name" -c 'import sys; print("python%d.%d" % sys.version_info[:2])')}
    done
    if [ -n "$incomplete" ]; then
        give_up "$incomplete is here but cannot make virtual environments. Type: sudo apt install $incomplete-venv"
    fi
    give_up "Python 3.11 or newer is needed. On Debian or Ubuntu type: sudo apt install python3 python3-venv"
}

# Whether the environment works and was not moved here: its programs know the folder they were made in.
usable() {
    "$venv/bin/python" -m pip --version >/dev/null 2>&1 && grep -qsF "$venv/bin/python" "$venv/bin/pip"
}

# Gives up with the line to type where Qt cannot be loaded: it needs libraries of the system.
need_qt() {
    local said
    said=$(QT_QPA_PLATFORM=offscreen "$venv/bin/python" -c 'from PySide6 import QtDBus, QtSvg, QtWidgets' 2>&1) && return
    say "${said##*$'\n'}"
    give_up "Qt needs libraries of the system. On Debian or Ubuntu type: sudo apt install $qt_libraries"
}

# prepare EXTRAS: afterwards $venv has this project, editable, with these extras.
prepare() {
    local extras=$1 stamp=$venv/.installed-${1//,/-} wanted python
    if [ ! -w "$root" ] || { [ -e "$venv" ] && [ ! -w "$venv" ]; }; then
        give_up "$root cannot be written by $(id -un). Clone the project into a folder of your own."
    fi
    mkdir -p "$venv"
    if command -v flock >/dev/null; then
        exec 9>"$venv/.lock"
        flock 9 # another of these scripts may be at it
    fi
    wanted="$root $(cksum <"$root/pyproject.toml")" # an editable install points at the folder
    if [ "$(cat "$stamp" 2>/dev/null)" != "$wanted" ] || ! "$venv/bin/python" -c '' 2>/dev/null; then
        python=$(find_python) || exit 1
        say "Setting up in $venv (a minute or two, only when something has changed) …"
        if ! usable; then
            rm -f "$venv"/.installed-*
            "$python" -m venv --clear "$venv" || give_up "$python could not make a virtual environment in $venv."
        fi
        # A person's own setting to install into the home folder does not hold inside a virtual environment.
        PIP_USER=0 "$venv/bin/python" -m pip install -qq --disable-pip-version-check --editable "$root[$extras]" ||
            give_up "The packages could not be installed; pip says why above. Check the network and start again."
        printf '%s\n' "$wanted" >"$stamp"
    fi
    exec 9>&-
}
