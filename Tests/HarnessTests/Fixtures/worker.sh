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
unready)
    echo '{"unready":{"reason":"the reader ended before its ready message"}}'
    exit 0 ;;
never-ready)
    echo 'error while loading shared libraries: libengine.so' >&2
    exit 127 ;;
esac

echo '{"ready":{"atStart":{"footprint":{"bytes":10000000,"peak":20000000},"resident":{"bytes":50000000,"peak":60000000}},"description":{"engine":"scripted"},"modelLoadMilliseconds":5}}'

# read NAME SEQUENCE TIMING: one reading, or what happens in its place.
read_picture() {
    case ${began:-$behaviour}$1 in
    killed-cold*victim*) kill -9 $$ ;;
    yes*victim*)
        case $behaviour in
        killed) kill -9 $$ ;;
        killed-once)
            if [ ! -e "$state" ]; then
                : > "$state"
                kill -9 $$
            fi ;;
        hangs)
            echo 'now it hangs'
            exec sleep 600 ;;
        hangs-once)
            if [ ! -e "$state" ]; then
                : > "$state"
                echo 'now it hangs'
                exec sleep 600
            fi ;;
        lingers)
            # Says that it has begun, and ends when it is told to.
            echo 'now it hangs'
            while [ ! -e "$state.go" ]; do sleep 0.05; done ;;
        exits)
            echo 'first words' >&2
            echo 'cannot go on' >&2
            exit 7 ;;
        stubborn)
            trap '' TERM HUP INT
            echo 'now it hangs'
            exec sleep 600 ;;
        forks)
            # The child has the pipes of the dead.
            sleep 20 &
            kill -9 $$ ;;
        floods)
            yes 'loading weights' | head -n 5000
            yes 'a warning' | head -n 5000 >&2 ;;
        other)
            echo '{"failure":{"milliseconds":2,"reason":"of another picture","sequence":9000}}' ;;
        throws)
            echo "{\"failure\":{\"milliseconds\":2,\"reason\":\"$1: corrupt\",\"sequence\":$2$3}}"
            return ;;
        chatters)
            echo 'loading weights ... 100 %'
            echo '{"not":"a message"}' ;;
        esac ;;
    esac
    answer="{\"result\":{\"memory\":{\"footprint\":{\"bytes\":55000000,\"peak\":70000000},\"resident\":{\"bytes\":95000000,\"peak\":110000000}},\"milliseconds\":1.5,\"prediction\":{\"lines\":[{\"text\":\"$1\"}],\"stages\":[{\"name\":\"detectionInference\",\"kind\":\"compute\",\"milliseconds\":0.5},{\"name\":\"recognitionInference\",\"kind\":\"compute\",\"milliseconds\":0.7}]},\"sequence\":$2$3}}"
    echo "$answer"
    case $began$behaviour$1 in
    yestwice*victim*) echo "$answer" ;;
    yesleaves*victim*) exit 0 ;;
    esac
}

began=
while read -r line; do
    case $line in
    *'"begin"'*)
        echo '{"began":{"memory":{"footprint":{"bytes":50000000,"peak":60000000},"resident":{"bytes":90000000,"peak":100000000}},"peakWasReset":true}}'
        began=yes ;;
    *'"stream"'*)
        echo "$line" | tr '{' '\n' | sed -n 's/^"name":"\([^"]*\)".*/\1/p' > "$state.names"
        echo "{\"streaming\":{\"bytes\":1000,\"pictures\":$(wc -l < "$state.names")}}" ;;
    *'"enqueue"'*)
        # The k-th reading begins when it is due, else after k hundredths of a second, and takes two milliseconds.
        echo "$line" | tr '{' '\n' | awk -F '[:,}]' '
            NR == FNR { name[NR - 1] = $0 }
            NR > FNR && /"sequence"/ {
                delete field
                for (i = 1; i < NF; i += 2) field[$i] = $(i + 1)
                start = ("\"dueSeconds\"" in field) ? field["\"dueSeconds\""] : field["\"sequence\""] / 100
                print field["\"sequence\""], name[field["\"picture\""]], start, start + 0.002
            }' "$state.names" - > "$state.requests"
        while read -r sequence name start end; do
            echo "{\"started\":{\"sequence\":$sequence}}"
            read_picture "$name" "$sequence" ",\"timing\":{\"endSeconds\":$end,\"startSeconds\":$start}"
        done < "$state.requests" ;;
    *'"stop"'*) echo '{"stopped":{"dropped":0}}' ;;
    *)
        sequence=${line#*\"sequence\":}
        sequence=${sequence%%[,\}]*}
        name=${line#*\"name\":\"}
        name=${name%%\"*}
        read_picture "$name" "$sequence" "" ;;
    esac
done
