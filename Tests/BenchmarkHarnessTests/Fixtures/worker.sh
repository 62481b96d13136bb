#!/bin/sh
# A worker that does as it is told: worker.sh BEHAVIOUR STATE
#
# It answers every request at once, with the picture's name as the text; only the reading of a picture whose name holds
# "victim" goes as BEHAVIOUR says, once warm-up is over. STATE is a file that tells a restarted worker what happened before.
behaviour=$1
state=$2

case $behaviour in
unavailable)
    echo '{"unavailable":{"reason":"the model is missing: run make setup"}}'
    exit 0 ;;
never-ready)
    echo 'error while loading shared libraries: libengine.so' >&2
    exit 127 ;;
esac

echo '{"ready":{"atStart":{"peakBytes":20000000,"residentBytes":10000000},"description":{"engine":"scripted"},"modelLoadMilliseconds":5}}'

began=
while read -r line; do
    sequence=${line#*\"sequence\":}
    sequence=${sequence%%[,\}]*}
    name=${line#*\"name\":\"}
    name=${name%%\"*}
    case $line in
    *'"begin"'*)
        echo '{"began":{"memory":{"peakBytes":60000000,"residentBytes":50000000},"peakWasReset":true}}'
        began=yes
        continue ;;
    *victim*)
        [ "$began" ] &&
        case $behaviour in
        killed) kill -9 $$ ;;
        killed-once)
            if [ ! -e "$state" ]; then
                : > "$state"
                kill -9 $$
            fi ;;
        hangs) exec sleep 600 ;;
        exits)
            echo 'first words' >&2
            echo 'cannot go on' >&2
            exit 7 ;;
        throws)
            echo "{\"failure\":{\"milliseconds\":2,\"reason\":\"$name: corrupt\",\"sequence\":$sequence}}"
            continue ;;
        chatters)
            echo 'loading weights ... 100 %'
            echo '{"not":"a message"}' ;;
        esac ;;
    esac
    echo "{\"result\":{\"memory\":{\"peakBytes\":70000000,\"residentBytes\":55000000},\"milliseconds\":1.5,\"prediction\":{\"lines\":[{\"text\":\"$name\"}],\"stageMilliseconds\":{\"detectionInference\":0.5,\"recognitionInference\":0.7}},\"sequence\":$sequence}}"
done
