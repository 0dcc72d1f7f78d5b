#!/bin/sh
# Copies small models into the corpus of the target `frontend`: those of the
# project, and those below any directories given as arguments. Domains in these
# directories are seeds of the target `pddl`, each with the first of its problems, and timed automata
# seeds of the target `timed`, with the queries beside them.
set -eu
cd "$(dirname "$0")"
mkdir -p corpus/frontend
for directory in ../models "$@"; do
    find "$directory" -type f -name '*.p*ml' -size -8 | while IFS= read -r file; do
        name=$(printf '%s' "$file" | cksum | cut -d ' ' -f 1)
        cp "$file" "corpus/frontend/$name.pml"
        chmod u+w "corpus/frontend/$name.pml"
    done
done
mkdir -p corpus/pddl
for directory in "$@"; do
    find "$directory" -type f -name 'domain.pddl' -size -8 | while IFS= read -r domain; do
        problem=$(find "${domain%/*}" -name '*01.pddl' -size -8 | head -n 1)
        [ -n "$problem" ] || continue
        name=$(printf '%s' "$domain" | cksum | cut -d ' ' -f 1)
        { cat "$domain"; printf '\n;;\n'; cat "$problem"; } > "corpus/pddl/$name.pddl"
    done
done
mkdir -p corpus/timed
for directory in ../crates/timed/tests "$@"; do
    find "$directory" -type f \( -name '*.xml' -o -name '*.xta' -o -name '*.ta' -o -name '*.tck' \) \
        -size -8 | while IFS= read -r file; do
        name=$(printf '%s' "$file" | cksum | cut -d ' ' -f 1)
        cat "$file" > "corpus/timed/$name"
        queries=${file%.*}.q
        [ ! -f "$queries" ] || { printf '\n///\n'; cat "$queries"; } >> "corpus/timed/$name"
    done
done
echo "$(ls corpus/frontend | wc -l) seeds"
