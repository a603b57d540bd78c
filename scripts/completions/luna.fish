# fish completion for luna

set -g __luna_commands 'luna scan' \
    'luna local' \
    'luna capture' \
    'luna decode' \
    'luna adapters' \
    'luna tracker' \
    'luna tracker create' \
    'luna tracker run' \
    'luna tracker list' \
    'luna tracker export' \
    'luna tracker reset' \
    'luna selftest' \
    'luna completions'
set -g __luna_valued 'luna --color' \
    'luna --config' \
    'luna scan --filter' \
    'luna scan --min-rssi' \
    'luna scan --fields' \
    'luna scan --format' \
    'luna scan -i' \
    'luna scan --adapter' \
    'luna scan --radio' \
    'luna scan -r' \
    'luna scan --read' \
    'luna scan -w' \
    'luna scan --write' \
    'luna scan -T' \
    'luna scan --duration' \
    'luna scan -c' \
    'luna scan --count' \
    'luna scan --phy' \
    'luna scan --speed' \
    'luna scan --epoch' \
    'luna scan --color' \
    'luna scan --config' \
    'luna local --format' \
    'luna local --timeout' \
    'luna local --state' \
    'luna local -i' \
    'luna local --adapter' \
    'luna local --radio' \
    'luna local -r' \
    'luna local --read' \
    'luna local -w' \
    'luna local --write' \
    'luna local -T' \
    'luna local --duration' \
    'luna local -c' \
    'luna local --count' \
    'luna local --phy' \
    'luna local --speed' \
    'luna local --epoch' \
    'luna local --color' \
    'luna local --config' \
    'luna capture -i' \
    'luna capture --adapter' \
    'luna capture --radio' \
    'luna capture -r' \
    'luna capture --read' \
    'luna capture -w' \
    'luna capture --write' \
    'luna capture -T' \
    'luna capture --duration' \
    'luna capture -c' \
    'luna capture --count' \
    'luna capture --phy' \
    'luna capture --speed' \
    'luna capture --epoch' \
    'luna capture --color' \
    'luna capture --config' \
    'luna decode --address' \
    'luna decode --color' \
    'luna decode --config' \
    'luna adapters --format' \
    'luna adapters --color' \
    'luna adapters --config' \
    'luna tracker --color' \
    'luna tracker --config' \
    'luna tracker create --speed' \
    'luna tracker create --epoch' \
    'luna tracker create --state' \
    'luna tracker create --color' \
    'luna tracker create --config' \
    'luna tracker run --radio' \
    'luna tracker run -i' \
    'luna tracker run --adapter' \
    'luna tracker run -T' \
    'luna tracker run --duration' \
    'luna tracker run --drift' \
    'luna tracker run --speed' \
    'luna tracker run --epoch' \
    'luna tracker run --state' \
    'luna tracker run --color' \
    'luna tracker run --config' \
    'luna tracker list --state' \
    'luna tracker list --color' \
    'luna tracker list --config' \
    'luna tracker export --radio' \
    'luna tracker export --state' \
    'luna tracker export --color' \
    'luna tracker export --config' \
    'luna tracker reset --state' \
    'luna tracker reset --color' \
    'luna tracker reset --config' \
    'luna selftest --vectors' \
    'luna selftest --answer' \
    'luna selftest --color' \
    'luna selftest --config' \
    'luna completions --color' \
    'luna completions --config'

# Whether the line stands at command $argv[1], with $argv[2] arguments before the cursor (any
# number without $argv[2]; that many or more with a third word).
function __luna_at
    set -l words (commandline -opc)
    set -l path $words[1]
    set -e words[1]
    set path luna
    set -l operands 0
    set -l skip no
    set -l ended no
    for word in $words
        if test $skip = yes
            set skip no
        else if test $ended = yes
            set operands (math $operands + 1)
        else
            switch $word
                case --
                    set ended yes
                case '--*=*'
                case '--*'
                    contains -- "$path $word" $__luna_valued; and set skip yes
                case '-?*'
                    set -l last -(string sub -s -1 -- $word)
                    contains -- "$path $last" $__luna_valued; and set skip yes
                case '*'
                    if contains -- "$path $word" $__luna_commands
                        set path "$path $word"
                    else
                        set operands (math $operands + 1)
                    end
            end
        end
    end
    test "$path" = $argv[1]; or return 1
    switch (count $argv)
        case 1
            test $ended = no
        case 2
            test $operands -eq $argv[2]
        case '*'
            test $operands -ge $argv[2]
    end
end

# The words that can follow those of the comma list at the cursor.
function __luna_list
    set -l token (string replace -r -- '^--[^=]*=' '' (commandline -ct))
    set -l head (string replace -r -- '[^,]*$' '' $token)
    set -l taken (string split -- , $head)
    for word in $argv
        contains -- $word $taken; or echo $head$word
    end
end

# The names in a directory.
function __luna_entries
    for entry in $argv[1]/*
        string replace -r -- '.*/' '' $entry
    end
end

complete -c luna -f
complete -c luna -n '__luna_at \'luna\' 0' -a scan -d 'Show every Bluetooth LE advertisement in the air, decoded.'
complete -c luna -n '__luna_at \'luna\' 0' -a local -d 'Follow your own trackers through all changes of identifier and address.'
complete -c luna -n '__luna_at \'luna\' 0' -a capture -d 'Record advertisements to a file, without decoding them.'
complete -c luna -n '__luna_at \'luna\' 0' -a decode -d 'Decode advertising data or HCI events given in hexadecimal.'
complete -c luna -n '__luna_at \'luna\' 0' -a adapters -d 'List the Bluetooth adapters and what each can do.'
complete -c luna -n '__luna_at \'luna\' 0' -a tracker -d 'Trackers in software that behave like real ones.'
complete -c luna -n '__luna_at \'luna\' 0' -a selftest -d 'Check this build\'s protocol and cryptography against test vectors.'
complete -c luna -n '__luna_at \'luna\' 0' -a completions -d 'Print a script that makes a shell complete luna\'s command line.'
complete -c luna -n '__luna_at \'luna\'' -s v -l verbose -d 'Say more on standard error; twice for still more'
complete -c luna -n '__luna_at \'luna\'' -s q -l quiet -d 'Say nothing on standard error but errors'
complete -c luna -n '__luna_at \'luna\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna\'' -l config -r -F -d 'Read options from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna\'' -l version -d 'Show the version'
complete -c luna -n '__luna_at \'luna scan\'' -l trackers -d 'Only beacons and trackers of a family that is known'
complete -c luna -n '__luna_at \'luna scan\'' -l filter -x -d 'Only advertisements for which EXPR holds'
complete -c luna -n '__luna_at \'luna scan\'' -l min-rssi -x -d 'Only advertisements received with at least DBM'
complete -c luna -n '__luna_at \'luna scan\'' -l fields -x -d 'Only these fields, or these columns with --format csv'
complete -c luna -n '__luna_at \'luna scan\'' -l summary -d 'One line for each advertiser at the end'
complete -c luna -n '__luna_at \'luna scan\'' -l format -x -a 'table jsonl csv' -d 'table, jsonl or csv'
complete -c luna -n '__luna_at \'luna scan\'' -s i -l adapter -x -d 'Listen on this adapter'
complete -c luna -n '__luna_at \'luna scan\'' -l radio -x -a 'auto\\tthe\\ best\\ that\\ is\\ permitted observe\\tthe\\ kernel\\\'s\\ monitor\\ channel\\,\\ beside\\ bluetoothd mgmt\\tthe\\ kernel\\\'s\\ management\\ interface dbus\\tbluetoothd\\\'s\\ discovery\\;\\ needs\\ no\\ privilege exclusive\\ttake\\ the\\ adapter\\ away\\ from\\ everybody\\ else h4:\\tan\\ HCI\\ controller\\ behind\\ TCP\\,\\ a\\ socket\\ or\\ a\\ serial\\ line virtual\\ta\\ simulated\\ room\\;\\ needs\\ no\\ adapter' -d 'How to listen; h4: takes tcp:HOST:PORT or a path, virtual: a number as seed'
complete -c luna -n '__luna_at \'luna scan\'' -s r -l read -r -F -d 'Read a capture (btsnoop, pcap, pcapng); - is standard input'
complete -c luna -n '__luna_at \'luna scan\'' -l realtime -d 'With --read: keep the pace of the recording'
complete -c luna -n '__luna_at \'luna scan\'' -s w -l write -r -F -d 'Record what is heard (.btsnoop or .pcapng)'
complete -c luna -n '__luna_at \'luna scan\'' -s T -l duration -x -d 'Stop after TIME (10s, 5m, 1h)'
complete -c luna -n '__luna_at \'luna scan\'' -s c -l count -x -d 'Stop after N advertisements are shown'
complete -c luna -n '__luna_at \'luna scan\'' -l active -d 'Ask advertisers for their scan responses'
complete -c luna -n '__luna_at \'luna scan\'' -l passive -d 'Send nothing'
complete -c luna -n '__luna_at \'luna scan\'' -l phy -x -a '(__luna_list 1m coded)' -d 'Primary channels to listen on: 1m, coded'
complete -c luna -n '__luna_at \'luna scan\'' -l speed -x -d 'Let protocol time run N times faster; needs --epoch'
complete -c luna -n '__luna_at \'luna scan\'' -l epoch -x -d 'When protocol time is right (2026-01-02T03:04:05Z, or Unix seconds)'
complete -c luna -n '__luna_at \'luna scan\'' -s v -l verbose -d 'Say more on standard error; twice for still more'
complete -c luna -n '__luna_at \'luna scan\'' -s q -l quiet -d 'Say nothing on standard error but errors'
complete -c luna -n '__luna_at \'luna scan\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna scan\'' -l config -r -F -d 'Read options from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna scan\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna local\'' -l format -x -a 'table jsonl csv' -d 'table or jsonl'
complete -c luna -n '__luna_at \'luna local\'' -l timeout -x -d 'Call a device silent after TIME'
complete -c luna -n '__luna_at \'luna local\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna local\'' -s i -l adapter -x -d 'Listen on this adapter'
complete -c luna -n '__luna_at \'luna local\'' -l radio -x -a 'auto\\tthe\\ best\\ that\\ is\\ permitted observe\\tthe\\ kernel\\\'s\\ monitor\\ channel\\,\\ beside\\ bluetoothd mgmt\\tthe\\ kernel\\\'s\\ management\\ interface dbus\\tbluetoothd\\\'s\\ discovery\\;\\ needs\\ no\\ privilege exclusive\\ttake\\ the\\ adapter\\ away\\ from\\ everybody\\ else h4:\\tan\\ HCI\\ controller\\ behind\\ TCP\\,\\ a\\ socket\\ or\\ a\\ serial\\ line virtual\\ta\\ simulated\\ room\\;\\ needs\\ no\\ adapter' -d 'How to listen; h4: takes tcp:HOST:PORT or a path, virtual: a number as seed'
complete -c luna -n '__luna_at \'luna local\'' -s r -l read -r -F -d 'Read a capture (btsnoop, pcap, pcapng); - is standard input'
complete -c luna -n '__luna_at \'luna local\'' -l realtime -d 'With --read: keep the pace of the recording'
complete -c luna -n '__luna_at \'luna local\'' -s w -l write -r -F -d 'Record what is heard (.btsnoop or .pcapng)'
complete -c luna -n '__luna_at \'luna local\'' -s T -l duration -x -d 'Stop after TIME (10s, 5m, 1h)'
complete -c luna -n '__luna_at \'luna local\'' -s c -l count -x -d 'Stop after N advertisements are shown'
complete -c luna -n '__luna_at \'luna local\'' -l active -d 'Ask advertisers for their scan responses'
complete -c luna -n '__luna_at \'luna local\'' -l passive -d 'Send nothing'
complete -c luna -n '__luna_at \'luna local\'' -l phy -x -a '(__luna_list 1m coded)' -d 'Primary channels to listen on: 1m, coded'
complete -c luna -n '__luna_at \'luna local\'' -l speed -x -d 'Let protocol time run N times faster; needs --epoch'
complete -c luna -n '__luna_at \'luna local\'' -l epoch -x -d 'When protocol time is right (2026-01-02T03:04:05Z, or Unix seconds)'
complete -c luna -n '__luna_at \'luna local\'' -s v -l verbose -d 'Say more on standard error; twice for still more'
complete -c luna -n '__luna_at \'luna local\'' -s q -l quiet -d 'Say nothing on standard error but errors'
complete -c luna -n '__luna_at \'luna local\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna local\'' -l config -r -F -d 'Read options from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna local\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna capture\'' -s i -l adapter -x -d 'Listen on this adapter'
complete -c luna -n '__luna_at \'luna capture\'' -l radio -x -a 'auto\\tthe\\ best\\ that\\ is\\ permitted observe\\tthe\\ kernel\\\'s\\ monitor\\ channel\\,\\ beside\\ bluetoothd mgmt\\tthe\\ kernel\\\'s\\ management\\ interface dbus\\tbluetoothd\\\'s\\ discovery\\;\\ needs\\ no\\ privilege exclusive\\ttake\\ the\\ adapter\\ away\\ from\\ everybody\\ else h4:\\tan\\ HCI\\ controller\\ behind\\ TCP\\,\\ a\\ socket\\ or\\ a\\ serial\\ line virtual\\ta\\ simulated\\ room\\;\\ needs\\ no\\ adapter' -d 'How to listen; h4: takes tcp:HOST:PORT or a path, virtual: a number as seed'
complete -c luna -n '__luna_at \'luna capture\'' -s r -l read -r -F -d 'Read a capture (btsnoop, pcap, pcapng); - is standard input'
complete -c luna -n '__luna_at \'luna capture\'' -l realtime -d 'With --read: keep the pace of the recording'
complete -c luna -n '__luna_at \'luna capture\'' -s w -l write -r -F -d 'Record what is heard (.btsnoop or .pcapng)'
complete -c luna -n '__luna_at \'luna capture\'' -s T -l duration -x -d 'Stop after TIME (10s, 5m, 1h)'
complete -c luna -n '__luna_at \'luna capture\'' -s c -l count -x -d 'Stop after N advertisements are shown'
complete -c luna -n '__luna_at \'luna capture\'' -l active -d 'Ask advertisers for their scan responses'
complete -c luna -n '__luna_at \'luna capture\'' -l passive -d 'Send nothing'
complete -c luna -n '__luna_at \'luna capture\'' -l phy -x -a '(__luna_list 1m coded)' -d 'Primary channels to listen on: 1m, coded'
complete -c luna -n '__luna_at \'luna capture\'' -l speed -x -d 'Let protocol time run N times faster; needs --epoch'
complete -c luna -n '__luna_at \'luna capture\'' -l epoch -x -d 'When protocol time is right (2026-01-02T03:04:05Z, or Unix seconds)'
complete -c luna -n '__luna_at \'luna capture\'' -s v -l verbose -d 'Say more on standard error; twice for still more'
complete -c luna -n '__luna_at \'luna capture\'' -s q -l quiet -d 'Say nothing on standard error but errors'
complete -c luna -n '__luna_at \'luna capture\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna capture\'' -l config -r -F -d 'Read options from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna capture\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna decode\'' -l hci -d 'Inputs are whole HCI events'
complete -c luna -n '__luna_at \'luna decode\'' -l address -x -d 'The random address that the data came from: some families put part of theirs there'
complete -c luna -n '__luna_at \'luna decode\'' -s v -l verbose -d 'Say more on standard error; twice for still more'
complete -c luna -n '__luna_at \'luna decode\'' -s q -l quiet -d 'Say nothing on standard error but errors'
complete -c luna -n '__luna_at \'luna decode\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna decode\'' -l config -r -F -d 'Read options from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna decode\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna adapters\'' -l format -x -a 'table jsonl csv' -d 'table, jsonl or csv'
complete -c luna -n '__luna_at \'luna adapters\'' -s v -l verbose -d 'Say more on standard error; twice for still more'
complete -c luna -n '__luna_at \'luna adapters\'' -s q -l quiet -d 'Say nothing on standard error but errors'
complete -c luna -n '__luna_at \'luna adapters\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna adapters\'' -l config -r -F -d 'Read options from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna adapters\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna tracker\' 0' -a create -d 'Make a tracker in software.'
complete -c luna -n '__luna_at \'luna tracker\' 0' -a run -d 'Put trackers on the air.'
complete -c luna -n '__luna_at \'luna tracker\' 0' -a list -d 'List the trackers in software.'
complete -c luna -n '__luna_at \'luna tracker\' 0' -a export -d 'Write the keys of trackers to a file for luna owner import.'
complete -c luna -n '__luna_at \'luna tracker\' 0' -a reset -d 'Return trackers to factory state.'
complete -c luna -n '__luna_at \'luna tracker\'' -s v -l verbose -d 'Say more on standard error; twice for still more'
complete -c luna -n '__luna_at \'luna tracker\'' -s q -l quiet -d 'Say nothing on standard error but errors'
complete -c luna -n '__luna_at \'luna tracker\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna tracker\'' -l config -r -F -d 'Read options from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna tracker\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna tracker create\'' -l onboardable -d 'Leave it in factory state, and print its code'
complete -c luna -n '__luna_at \'luna tracker create\'' -l speed -x -d 'Let protocol time run N times faster; needs --epoch'
complete -c luna -n '__luna_at \'luna tracker create\'' -l epoch -x -d 'When protocol time is right (2026-01-02T03:04:05Z, or Unix seconds)'
complete -c luna -n '__luna_at \'luna tracker create\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna tracker create\'' -s v -l verbose -d 'Say more on standard error; twice for still more'
complete -c luna -n '__luna_at \'luna tracker create\'' -s q -l quiet -d 'Say nothing on standard error but errors'
complete -c luna -n '__luna_at \'luna tracker create\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna tracker create\'' -l config -r -F -d 'Read options from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna tracker create\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna tracker run\'' -l radio -x -a 'auto\\tthe\\ best\\ that\\ is\\ permitted dbus\\tbluetoothd\\\'s\\ discovery\\;\\ needs\\ no\\ privilege exclusive\\ttake\\ the\\ adapter\\ away\\ from\\ everybody\\ else h4:\\tan\\ HCI\\ controller\\ behind\\ TCP\\,\\ a\\ socket\\ or\\ a\\ serial\\ line virtual\\ta\\ simulated\\ room\\;\\ needs\\ no\\ adapter' -d 'auto, dbus, exclusive, h4:... or virtual'
complete -c luna -n '__luna_at \'luna tracker run\'' -s i -l adapter -x -d 'Advertise with this adapter'
complete -c luna -n '__luna_at \'luna tracker run\'' -s T -l duration -x -d 'Stop after TIME (10s, 5m, 1h)'
complete -c luna -n '__luna_at \'luna tracker run\'' -l drift -x -d 'Let the oscillators be wrong by PPM parts per million'
complete -c luna -n '__luna_at \'luna tracker run\'' -l lose-clock -d 'The clocks were lost while there was no power'
complete -c luna -n '__luna_at \'luna tracker run\'' -l speed -x -d 'Let protocol time run N times faster; needs --epoch'
complete -c luna -n '__luna_at \'luna tracker run\'' -l epoch -x -d 'When protocol time is right (2026-01-02T03:04:05Z, or Unix seconds)'
complete -c luna -n '__luna_at \'luna tracker run\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna tracker run\'' -s v -l verbose -d 'Say more on standard error; twice for still more'
complete -c luna -n '__luna_at \'luna tracker run\'' -s q -l quiet -d 'Say nothing on standard error but errors'
complete -c luna -n '__luna_at \'luna tracker run\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna tracker run\'' -l config -r -F -d 'Read options from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna tracker run\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna tracker list\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna tracker list\'' -s v -l verbose -d 'Say more on standard error; twice for still more'
complete -c luna -n '__luna_at \'luna tracker list\'' -s q -l quiet -d 'Say nothing on standard error but errors'
complete -c luna -n '__luna_at \'luna tracker list\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna tracker list\'' -l config -r -F -d 'Read options from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna tracker list\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna tracker export\'' -l radio -x -a 'virtual' -d 'The trackers of the simulated room'
complete -c luna -n '__luna_at \'luna tracker export\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna tracker export\'' -s v -l verbose -d 'Say more on standard error; twice for still more'
complete -c luna -n '__luna_at \'luna tracker export\'' -s q -l quiet -d 'Say nothing on standard error but errors'
complete -c luna -n '__luna_at \'luna tracker export\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna tracker export\'' -l config -r -F -d 'Read options from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna tracker export\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna tracker export\' 0 more' -F
complete -c luna -n '__luna_at \'luna tracker reset\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna tracker reset\'' -s v -l verbose -d 'Say more on standard error; twice for still more'
complete -c luna -n '__luna_at \'luna tracker reset\'' -s q -l quiet -d 'Say nothing on standard error but errors'
complete -c luna -n '__luna_at \'luna tracker reset\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna tracker reset\'' -l config -r -F -d 'Read options from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna tracker reset\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna selftest\'' -l vectors -r -F -d 'Check against FILE instead of the built-in vectors'
complete -c luna -n '__luna_at \'luna selftest\'' -l answer -r -F -d 'Print what this build computes for the cases of FILE, as one JSON object'
complete -c luna -n '__luna_at \'luna selftest\'' -s v -l verbose -d 'Say more on standard error; twice for still more'
complete -c luna -n '__luna_at \'luna selftest\'' -s q -l quiet -d 'Say nothing on standard error but errors'
complete -c luna -n '__luna_at \'luna selftest\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna selftest\'' -l config -r -F -d 'Read options from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna selftest\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna completions\'' -s v -l verbose -d 'Say more on standard error; twice for still more'
complete -c luna -n '__luna_at \'luna completions\'' -s q -l quiet -d 'Say nothing on standard error but errors'
complete -c luna -n '__luna_at \'luna completions\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna completions\'' -l config -r -F -d 'Read options from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna completions\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna completions\' 0' -a 'bash zsh fish'
