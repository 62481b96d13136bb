#!/bin/sh
# The gate of a pull request, as action.yml and the template for GitLab run it: compares a reader with that of the base,
# measures a suite, and gates. Arguments are further options of 'compare' and 'gate', such as --github. Variables:
#
#   SUITE     file of the suite; empty for none (spinebench.yaml)
#   RUN       further arguments of 'spinebench run'
#   COMPARE   arguments of 'spinebench compare', of which ../base is the base; empty for none
#
# Exits with the code of the first part that fails. A comparison that is not decided does not fail.
program=$(dirname "$0")/../.build/release/spinebench
suite=${SUITE-spinebench.yaml}
status=0

# The base has a reader to compare with from the second pull request on.
if [ -n "$COMPARE" ] && { [ -z "$suite" ] || [ -e "../base/$suite" ]; }; then
    eval "\"\$program\" compare $COMPARE --out Reports/comparisons/ci --junit Reports/compare.xml \"\$@\"" || status=$?
    [ $status -ne 3 ] || status=0
fi

eval "\"\$program\" run ${suite:+--suite \"\$suite\"} $RUN --out Reports/runs/ci"
code=$?
# The gate decides about targets; a run that did not come to its end has none.
case $code in 0 | 1 | 3) ;; *) exit $code ;; esac

ls Reports/baseline/*.json > /dev/null 2>&1 || baseline="--baseline none"
"$program" gate Reports/runs/ci ${baseline:-} --junit Reports/gate.xml --benchmark-json Reports/charts "$@" || {
    code=$?
    [ $status -ne 0 ] || status=$code
}
exit $status
