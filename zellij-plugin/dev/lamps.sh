#!/bin/sh
# Lights the lamps of the session "tally-dev" by hand, without a daemon: prints pictures for
#     zellij-plugin/dev/lamps.sh | zellij -s tally-dev pipe --name tally-dev:down
set -eu
now=$(date +%s)
line() {
    printf '{"v":1,"run":%s,"seq":%s,"at_ms":%s000,"sessions":[%s],"mux_session":{%s},"machine":{%s}}\n' \
        "$now" "$1" "$(date +%s)" "$2" "$3" "$3"
}
session() {
    printf '{"pane":"%%%s","state":"%s","agent":"claude","since_ms":%s000%s}' "$1" "$2" "$(date +%s)" "${3:-}"
}
ask=',"kind":"permission","message":"Bash: rm -r build"'
line 1 "$(session 0 working)" '"working":1'
sleep 3
line 2 "$(session 1 blocked "$ask"),$(session 0 working),$(session 3 idle)" '"blocked":1,"working":1,"idle":1'
sleep 6
line 3 "$(session 0 "done"),$(session 3 idle)" '"done":1,"idle":1'
# The pipe's end is the daemon's end, and the bar says so.
sleep 6
