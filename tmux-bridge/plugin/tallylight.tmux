#!/bin/sh
# Tallylight for TPM: starts the daemon, and shows the lamps in this server's status line.
#
# Options, to be set before TPM runs:
#   set -g @tally_command /path/to/tally   # when it is not on PATH
#   set -g @tally_status off               # leave the status line alone; place #{E:@tally_lamp} and
#                                          # #{E:@tally_summary} yourself
set -u

option() {
    tmux show-option -gqv "$1"
}

tally=$(option @tally_command)
tally=${tally:-tally}

if ! command -v "$tally" >/dev/null 2>&1; then
    tmux display-message 'Tallylight: the program "tally" is not on PATH; install it, or set @tally_command'
    exit 0
fi

"$tally" up --quiet >/dev/null 2>&1
if [ "$(option @tally_status)" != off ]; then
    "$tally" tmux load --quiet >/dev/null 2>&1
fi
exit 0
