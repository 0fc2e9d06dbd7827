# SPDX-License-Identifier: BSD-3-Clause
"""Completion for bash, zsh and fish: commands, each option that a command has, and its values."""

import os
import pathlib
import re
import select
import shutil
import subprocess
import tempfile

from tap import open_terminal

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "tools/completion/script.sh"

# Each shell reads the lines of "questions". For each it writes the words that it offers at the line's end, and a line ".".
BASH = r"""
source completion
while IFS= read -r line; do
    read -ra COMP_WORDS <<<"${line//=/ = }" # readline ends a word before and after "="
    if [[ $line == *" " ]]; then COMP_WORDS+=(""); fi
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMPREPLY=()
    _unbound_idn unbound-idn "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
    printf '%s\n' "${COMPREPLY[@]}" .
done <questions >answers
"""
FISH = r"""
source ../completion
while read -l line
    complete -C $line
    echo .
end <../questions >../answers
"""
# Only the line editor completes, which needs a terminal: as soon as it starts it does so with each line. What it offers it hands to
# compadd; options -O, -A and -D only ask that which words match.
ZSH = r"""
fpath=($PWD/.. $fpath)
autoload -Uz compinit && compinit -u -D
compadd() {
    local -a hits
    if [[ ${@[1,(i)(-|--)]} == (|*\ )-[a-zA-Z12]#[OAD](|\ *) ]]; then builtin compadd "$@"; return; fi
    builtin compadd -O hits "$@"
    print -rl -- $hits >>../answers
    builtin compadd "$@"
}
answer() {
    local line
    for line in ${(f)"$(<../questions)"}; do
        BUFFER=$line CURSOR=${#line}
        zle list-choices
        print . >>../answers
    done
    BUFFER=exit
    zle accept-line
}
zle -N zle-line-init answer
"""


def run_on_terminal(tap, arguments, **options):
    """Returns whether there is a terminal."""
    ends = open_terminal(tap)
    if not ends:
        return False
    with subprocess.Popen(arguments, stdin=ends[1], stdout=ends[1], stderr=ends[1], start_new_session=True, **options) as process:
        os.close(ends[1])
        try:
            while select.select([ends[0]], [], [], 60)[0] and os.read(ends[0], 65536):
                pass
        except OSError:  # all of its ends are closed
            pass
        process.kill()
    os.close(ends[0])
    return True


def start(tap, shell, folder, environment):
    """Returns whether the shell could be started."""
    files = folder / "files"
    if shell == "zsh":
        (folder / "completion").rename(folder / "_unbound-idn")
        (folder / ".zshrc").write_text("setopt extendedglob\n" + ZSH)
        return run_on_terminal(tap, ["zsh", "-d", "-i"], cwd=files, env={**environment, "ZDOTDIR": str(folder), "TERM": "dumb"})
    if shell == "fish":
        subprocess.run(["fish", "--no-config", "-c", FISH], cwd=files, env=environment, check=True)
    else:
        subprocess.run(["bash", "-c", BASH], cwd=folder, env=environment, check=True)
    return True


def answers(tap, command, shell, lines):
    """For each line, what the shell offers at its end, sorted. There is one file, names.txt. None if there is no terminal."""
    with tempfile.TemporaryDirectory(prefix="idn-shell-") as name:
        folder = pathlib.Path(name)
        for part in ("bin", "files"):
            (folder / part).mkdir()
        (folder / "bin/unbound-idn").symlink_to(command.path)
        (folder / "files/names.txt").touch()
        (folder / "completion").write_bytes(subprocess.run([SCRIPT, shell], capture_output=True, check=True).stdout)
        (folder / "questions").write_text("".join(f"unbound-idn {line}\n" for line in lines))
        if not start(tap, shell, folder, {"PATH": f"{folder}/bin:/usr/bin:/bin", "HOME": name, "LC_ALL": "C.UTF-8"}):
            return None
        tap.equal([path.name for path in folder.rglob("made*")], [], f"{shell}: completion runs nothing of what is typed")
        groups = (folder / "answers").read_text().split(".\n")
        return [sorted(filter(None, group.split("\n"))) for group in groups[:-1]]


def questions(command, with_files):
    """Pairs: a line and what must be offered at its end."""
    files = ["names.txt"] if with_files else []  # bash reads them itself where a script offers nothing
    commands = re.findall(r"^  ([a-z]+) ", command("--help")[1].decode(), re.M)

    def options(name):
        return {*re.findall(r"--[a-z-]+", command(name, "--help")[1].decode().split("\n", 1)[1]), "--help"}

    yield "", [*commands, "--help", "--version"]
    yield from (("dec", ["decode"]), ("--v", ["--version"]), ("nothing", []))
    for name in commands:
        yield f"{name} --", options(name)
        yield f"{name} xn--", []
        yield f"{name} ", files
    yield "report -", {"-o"} | options("report")
    yield "explain --type AA", ["AAAA"]
    yield "explain --type=a", ["A", "AAAA"]
    yield "check --color=", ["always", "auto", "never"]
    yield "check --user roo", ["root"]
    yield "check --daemon ", files
    yield "report -o ", files
    yield "$(>made) -", []
    yield "explain /.*[ a", []


def test_shells(tap, command):
    for shell in ("bash",) if command.under_valgrind else ("bash", "zsh", "fish"):  # each asks the command for the same help
        if not shutil.which(shell):
            tap.skip(f"completion: {shell}", f"no {shell}")
            continue
        wanted = list(questions(command, shell != "bash"))
        found = answers(tap, command, shell, [line for line, _ in wanted])
        if found is None:
            continue
        tap.equal(len(found), len(wanted), f"{shell}: it answers each question")
        for (line, words), offered in zip(wanted, found):
            option = re.search(r"--[a-z]+=", line)
            words_only = [word.partition("\t")[0].removeprefix(option[0] if option else "") for word in offered]
            tap.equal(sorted(words_only), sorted(words), f"{shell}: unbound-idn {line}")
        if shell == "fish":
            text = re.search("(?m)^  decode +(.*)$", command("--help")[1].decode())[1]
            tap.equal(found[1], [f"decode\t{text}"], "fish: a word has its description")
