#!/bin/sh
# Copies small models into the corpus of the target `frontend`: those of the
# project, and those below any directories given as arguments.
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
echo "$(ls corpus/frontend | wc -l) seeds"
