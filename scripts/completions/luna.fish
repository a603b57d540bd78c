# fish completion for luna

set -g __luna_commands 'luna scan' \
    'luna local' \
    'luna onboard' \
    'luna buzz' \
    'luna identify' \
    'luna owner' \
    'luna owner list' \
    'luna owner show' \
    'luna owner events' \
    'luna owner buzz' \
    'luna owner packages' \
    'luna owner rename' \
    'luna owner forget' \
    'luna owner export' \
    'luna owner import' \
    'luna owner ping' \
    'luna owner set-clock' \
    'luna owner here' \
    'luna owner blink' \
    'luna owner reset' \
    'luna owner seal' \
    'luna owner unseal' \
    'luna finder' \
    'luna finder enroll' \
    'luna finder status' \
    'luna backend' \
    'luna backend token' \
    'luna backend token create' \
    'luna backend token list' \
    'luna backend token revoke' \
    'luna backend enroll' \
    'luna backend migrate' \
    'luna backend backup' \
    'luna backend check-config' \
    'luna tracker' \
    'luna tracker create' \
    'luna tracker run' \
    'luna tracker list' \
    'luna tracker export' \
    'luna tracker reset' \
    'luna demo' \
    'luna adapters' \
    'luna capture' \
    'luna decode' \
    'luna keys' \
    'luna report' \
    'luna report seal' \
    'luna report open' \
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
    'luna local --passphrase-file' \
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
    'luna onboard --name' \
    'luna onboard --code' \
    'luna onboard --code-file' \
    'luna onboard --qr' \
    'luna onboard --wait' \
    'luna onboard --format' \
    'luna onboard -i' \
    'luna onboard --adapter' \
    'luna onboard --radio' \
    'luna onboard --speed' \
    'luna onboard --epoch' \
    'luna onboard --state' \
    'luna onboard --passphrase-file' \
    'luna onboard --color' \
    'luna onboard --config' \
    'luna buzz --seconds' \
    'luna buzz --package' \
    'luna buzz --format' \
    'luna buzz -i' \
    'luna buzz --adapter' \
    'luna buzz --radio' \
    'luna buzz -T' \
    'luna buzz --duration' \
    'luna buzz --speed' \
    'luna buzz --epoch' \
    'luna buzz --state' \
    'luna buzz --passphrase-file' \
    'luna buzz --color' \
    'luna buzz --config' \
    'luna identify --wait' \
    'luna identify --format' \
    'luna identify -i' \
    'luna identify --adapter' \
    'luna identify --radio' \
    'luna identify -T' \
    'luna identify --duration' \
    'luna identify --speed' \
    'luna identify --epoch' \
    'luna identify --state' \
    'luna identify --passphrase-file' \
    'luna identify --color' \
    'luna identify --config' \
    'luna owner --color' \
    'luna owner --config' \
    'luna owner list --format' \
    'luna owner list --state' \
    'luna owner list --passphrase-file' \
    'luna owner list --color' \
    'luna owner list --config' \
    'luna owner show --format' \
    'luna owner show --state' \
    'luna owner show --passphrase-file' \
    'luna owner show --color' \
    'luna owner show --config' \
    'luna owner events --from' \
    'luna owner events --to' \
    'luna owner events --as' \
    'luna owner events --backend' \
    'luna owner events --token-file' \
    'luna owner events --ca-file' \
    'luna owner events --proxy' \
    'luna owner events --state' \
    'luna owner events --passphrase-file' \
    'luna owner events --color' \
    'luna owner events --config' \
    'luna owner buzz --hours' \
    'luna owner buzz --seconds' \
    'luna owner buzz --wait' \
    'luna owner buzz --format' \
    'luna owner buzz --backend' \
    'luna owner buzz --token-file' \
    'luna owner buzz --ca-file' \
    'luna owner buzz --proxy' \
    'luna owner buzz --state' \
    'luna owner buzz --passphrase-file' \
    'luna owner buzz --color' \
    'luna owner buzz --config' \
    'luna owner packages --hours' \
    'luna owner packages --command' \
    'luna owner packages --seconds' \
    'luna owner packages --at' \
    'luna owner packages --state' \
    'luna owner packages --passphrase-file' \
    'luna owner packages --color' \
    'luna owner packages --config' \
    'luna owner rename --format' \
    'luna owner rename --state' \
    'luna owner rename --passphrase-file' \
    'luna owner rename --color' \
    'luna owner rename --config' \
    'luna owner forget --format' \
    'luna owner forget --state' \
    'luna owner forget --passphrase-file' \
    'luna owner forget --color' \
    'luna owner forget --config' \
    'luna owner export --state' \
    'luna owner export --passphrase-file' \
    'luna owner export --color' \
    'luna owner export --config' \
    'luna owner import --alignment' \
    'luna owner import --format' \
    'luna owner import --state' \
    'luna owner import --passphrase-file' \
    'luna owner import --color' \
    'luna owner import --config' \
    'luna owner ping --format' \
    'luna owner ping -i' \
    'luna owner ping --adapter' \
    'luna owner ping --radio' \
    'luna owner ping -T' \
    'luna owner ping --duration' \
    'luna owner ping --speed' \
    'luna owner ping --epoch' \
    'luna owner ping --state' \
    'luna owner ping --passphrase-file' \
    'luna owner ping --color' \
    'luna owner ping --config' \
    'luna owner set-clock --format' \
    'luna owner set-clock -i' \
    'luna owner set-clock --adapter' \
    'luna owner set-clock --radio' \
    'luna owner set-clock -T' \
    'luna owner set-clock --duration' \
    'luna owner set-clock --speed' \
    'luna owner set-clock --epoch' \
    'luna owner set-clock --state' \
    'luna owner set-clock --passphrase-file' \
    'luna owner set-clock --color' \
    'luna owner set-clock --config' \
    'luna owner here --format' \
    'luna owner here -i' \
    'luna owner here --adapter' \
    'luna owner here --radio' \
    'luna owner here -T' \
    'luna owner here --duration' \
    'luna owner here --speed' \
    'luna owner here --epoch' \
    'luna owner here --state' \
    'luna owner here --passphrase-file' \
    'luna owner here --color' \
    'luna owner here --config' \
    'luna owner blink --seconds' \
    'luna owner blink --format' \
    'luna owner blink -i' \
    'luna owner blink --adapter' \
    'luna owner blink --radio' \
    'luna owner blink -T' \
    'luna owner blink --duration' \
    'luna owner blink --speed' \
    'luna owner blink --epoch' \
    'luna owner blink --state' \
    'luna owner blink --passphrase-file' \
    'luna owner blink --color' \
    'luna owner blink --config' \
    'luna owner reset --format' \
    'luna owner reset -i' \
    'luna owner reset --adapter' \
    'luna owner reset --radio' \
    'luna owner reset -T' \
    'luna owner reset --duration' \
    'luna owner reset --speed' \
    'luna owner reset --epoch' \
    'luna owner reset --state' \
    'luna owner reset --passphrase-file' \
    'luna owner reset --color' \
    'luna owner reset --config' \
    'luna owner seal --new-passphrase-file' \
    'luna owner seal --state' \
    'luna owner seal --passphrase-file' \
    'luna owner seal --color' \
    'luna owner seal --config' \
    'luna owner unseal --state' \
    'luna owner unseal --passphrase-file' \
    'luna owner unseal --color' \
    'luna owner unseal --config' \
    'luna finder --location' \
    'luna finder --duty' \
    'luna finder --format' \
    'luna finder --backend' \
    'luna finder --token-file' \
    'luna finder --ca-file' \
    'luna finder --proxy' \
    'luna finder --batch' \
    'luna finder --batch-time' \
    'luna finder --interval' \
    'luna finder --queue-limit' \
    'luna finder --distance' \
    'luna finder --accuracy' \
    'luna finder --state' \
    'luna finder -i' \
    'luna finder --adapter' \
    'luna finder --radio' \
    'luna finder -r' \
    'luna finder --read' \
    'luna finder -w' \
    'luna finder --write' \
    'luna finder -T' \
    'luna finder --duration' \
    'luna finder -c' \
    'luna finder --count' \
    'luna finder --phy' \
    'luna finder --speed' \
    'luna finder --epoch' \
    'luna finder --color' \
    'luna finder --config' \
    'luna finder enroll --code-file' \
    'luna finder enroll --backend' \
    'luna finder enroll --token-file' \
    'luna finder enroll --ca-file' \
    'luna finder enroll --proxy' \
    'luna finder enroll --state' \
    'luna finder enroll --color' \
    'luna finder enroll --config' \
    'luna finder status --format' \
    'luna finder status --state' \
    'luna finder status --color' \
    'luna finder status --config' \
    'luna backend --listen' \
    'luna backend --tls-cert' \
    'luna backend --tls-key' \
    'luna backend --retention' \
    'luna backend --connections' \
    'luna backend --connections-per-address' \
    'luna backend --requests' \
    'luna backend --body-memory' \
    'luna backend --threads' \
    'luna backend --events-per-second' \
    'luna backend --requests-per-second' \
    'luna backend --events-per-identifier' \
    'luna backend --open-commands' \
    'luna backend --store' \
    'luna backend --state' \
    'luna backend --store-connections' \
    'luna backend --store-queue' \
    'luna backend --color' \
    'luna backend --config' \
    'luna backend token --color' \
    'luna backend token --config' \
    'luna backend token create --out' \
    'luna backend token create --format' \
    'luna backend token create --store' \
    'luna backend token create --state' \
    'luna backend token create --color' \
    'luna backend token create --config' \
    'luna backend token list --format' \
    'luna backend token list --store' \
    'luna backend token list --state' \
    'luna backend token list --color' \
    'luna backend token list --config' \
    'luna backend token revoke --store' \
    'luna backend token revoke --state' \
    'luna backend token revoke --color' \
    'luna backend token revoke --config' \
    'luna backend enroll --valid' \
    'luna backend enroll --format' \
    'luna backend enroll --store' \
    'luna backend enroll --state' \
    'luna backend enroll --color' \
    'luna backend enroll --config' \
    'luna backend migrate --store' \
    'luna backend migrate --state' \
    'luna backend migrate --color' \
    'luna backend migrate --config' \
    'luna backend backup --store' \
    'luna backend backup --state' \
    'luna backend backup --color' \
    'luna backend backup --config' \
    'luna backend check-config --listen' \
    'luna backend check-config --tls-cert' \
    'luna backend check-config --tls-key' \
    'luna backend check-config --retention' \
    'luna backend check-config --connections' \
    'luna backend check-config --connections-per-address' \
    'luna backend check-config --requests' \
    'luna backend check-config --body-memory' \
    'luna backend check-config --threads' \
    'luna backend check-config --events-per-second' \
    'luna backend check-config --requests-per-second' \
    'luna backend check-config --events-per-identifier' \
    'luna backend check-config --open-commands' \
    'luna backend check-config --store' \
    'luna backend check-config --state' \
    'luna backend check-config --store-connections' \
    'luna backend check-config --store-queue' \
    'luna backend check-config --color' \
    'luna backend check-config --config' \
    'luna tracker --color' \
    'luna tracker --config' \
    'luna tracker create --code-file' \
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
    'luna tracker run --exec' \
    'luna tracker run --exec-on' \
    'luna tracker run --speed' \
    'luna tracker run --epoch' \
    'luna tracker run --state' \
    'luna tracker run --color' \
    'luna tracker run --config' \
    'luna tracker list --radio' \
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
    'luna demo --picture' \
    'luna demo --keep' \
    'luna demo --speed' \
    'luna demo --format' \
    'luna demo --color' \
    'luna demo --config' \
    'luna adapters --format' \
    'luna adapters --color' \
    'luna adapters --config' \
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
    'luna keys --master-key-file' \
    'luna keys --device' \
    'luna keys --at' \
    'luna keys --counter' \
    'luna keys --count' \
    'luna keys --exponent' \
    'luna keys --state' \
    'luna keys --passphrase-file' \
    'luna keys --color' \
    'luna keys --config' \
    'luna report --color' \
    'luna report --config' \
    'luna report seal --eid' \
    'luna report seal --aotp' \
    'luna report seal --esf' \
    'luna report seal --rssi' \
    'luna report seal --latitude' \
    'luna report seal --longitude' \
    'luna report seal --altitude' \
    'luna report seal --horizontal-accuracy' \
    'luna report seal --vertical-accuracy' \
    'luna report seal --speed' \
    'luna report seal --course' \
    'luna report seal --time' \
    'luna report seal --format' \
    'luna report seal --color' \
    'luna report seal --config' \
    'luna report open --master-key-file' \
    'luna report open --device' \
    'luna report open --heid' \
    'luna report open --esf' \
    'luna report open --counter' \
    'luna report open --at' \
    'luna report open --state' \
    'luna report open --passphrase-file' \
    'luna report open --color' \
    'luna report open --config' \
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
complete -c luna -n '__luna_at \'luna\' 0' -a local -d 'Follow your own trackers as their identifiers and addresses change.'
complete -c luna -n '__luna_at \'luna\' 0' -a onboard -d 'Make a tracker your own.'
complete -c luna -n '__luna_at \'luna\' 0' -a buzz -d 'Make a tracker sound.'
complete -c luna -n '__luna_at \'luna\' 0' -a identify -d 'Ask a tracker of any maker what it is.'
complete -c luna -n '__luna_at \'luna\' 0' -a owner -d 'List your devices, see where they were, and control them from afar.'
complete -c luna -n '__luna_at \'luna\' 0' -a finder -d 'Report trackers to their owners, and deliver the owners\' commands.'
complete -c luna -n '__luna_at \'luna\' 0' -a backend -d 'Serve the Luna API: take events from gateways and give them to owners.'
complete -c luna -n '__luna_at \'luna\' 0' -a tracker -d 'Run trackers in software that behave like real ones.'
complete -c luna -n '__luna_at \'luna\' 0' -a demo -d 'Show everything on one machine, with no adapter and no network.'
complete -c luna -n '__luna_at \'luna\' 0' -a adapters -d 'List the Bluetooth adapters and what each can do.'
complete -c luna -n '__luna_at \'luna\' 0' -a capture -d 'Record advertisements to a file, without decoding them.'
complete -c luna -n '__luna_at \'luna\' 0' -a decode -d 'Decode advertising data or HCI events given in hexadecimal.'
complete -c luna -n '__luna_at \'luna\' 0' -a keys -d 'Compute what a tracker advertises in given periods.'
complete -c luna -n '__luna_at \'luna\' 0' -a report -d 'Seal and open location reports.'
complete -c luna -n '__luna_at \'luna\' 0' -a selftest -d 'Check this build\'s protocol and cryptography against test vectors.'
complete -c luna -n '__luna_at \'luna\' 0' -a completions -d 'Print a script that makes a shell complete luna\'s command line.'
complete -c luna -n '__luna_at \'luna\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna\'' -l config -r -F -d 'Read options from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna\'' -l version -d 'Show the version'
complete -c luna -n '__luna_at \'luna scan\'' -l trackers -d 'Show only beacons and trackers of known families'
complete -c luna -n '__luna_at \'luna scan\'' -l filter -x -d 'Show only advertisements that match EXPR'
complete -c luna -n '__luna_at \'luna scan\'' -l min-rssi -x -d 'Show only advertisements at least as strong as DBM'
complete -c luna -n '__luna_at \'luna scan\'' -l fields -x -d 'Show only these fields (JSON lines) or columns (CSV)'
complete -c luna -n '__luna_at \'luna scan\'' -l summary -d 'Show one line per advertiser at the end'
complete -c luna -n '__luna_at \'luna scan\'' -l format -x -a 'table jsonl csv' -d 'table, jsonl or csv'
complete -c luna -n '__luna_at \'luna scan\'' -s i -l adapter -x -d 'Listen on this adapter'
complete -c luna -n '__luna_at \'luna scan\'' -l radio -x -a 'auto\\tthe\\ best\\ that\\ permissions\\ allow observe\\tthe\\ kernel\\\'s\\ monitor\\ channel\\,\\ alongside\\ bluetoothd mgmt\\tthe\\ kernel\\\'s\\ management\\ interface dbus\\tbluetoothd\\\'s\\ discovery\\;\\ needs\\ no\\ privilege exclusive\\ttake\\ the\\ adapter\\ away\\ from\\ all\\ other\\ programs h4:\\tan\\ HCI\\ controller\\ behind\\ TCP\\,\\ a\\ socket\\ or\\ a\\ serial\\ line virtual\\ta\\ simulated\\ room\\;\\ needs\\ no\\ adapter' -d 'How to listen; h4: takes tcp:HOST:PORT or a path, virtual: takes a seed'
complete -c luna -n '__luna_at \'luna scan\'' -s r -l read -r -F -d 'Read a capture (btsnoop, pcap, pcapng); - is standard input'
complete -c luna -n '__luna_at \'luna scan\'' -l realtime -d 'With --read: play at the recorded pace'
complete -c luna -n '__luna_at \'luna scan\'' -s w -l write -r -F -d 'Record what is heard (.btsnoop or .pcapng)'
complete -c luna -n '__luna_at \'luna scan\'' -l force -d 'With --write: overwrite an existing file'
complete -c luna -n '__luna_at \'luna scan\'' -s T -l duration -x -d 'Stop after TIME (10s, 5m, 1h)'
complete -c luna -n '__luna_at \'luna scan\'' -s c -l count -x -d 'Stop after showing N advertisements'
complete -c luna -n '__luna_at \'luna scan\'' -l active -d 'Request scan responses from advertisers'
complete -c luna -n '__luna_at \'luna scan\'' -l passive -d 'Only listen; transmit nothing'
complete -c luna -n '__luna_at \'luna scan\'' -l phy -x -a '(__luna_list 1m coded)' -d 'Primary PHYs to listen on: 1m, coded'
complete -c luna -n '__luna_at \'luna scan\'' -l speed -x -d 'Run protocol time N times faster; needs --epoch'
complete -c luna -n '__luna_at \'luna scan\'' -l epoch -x -d 'When protocol time equals real time (2026-01-02T03:04:05Z, or Unix seconds)'
complete -c luna -n '__luna_at \'luna scan\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna scan\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna scan\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna scan\'' -l config -r -F -d 'Read options from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna scan\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna local\'' -l format -x -a 'table jsonl csv' -d 'table or jsonl'
complete -c luna -n '__luna_at \'luna local\'' -l timeout -x -d 'Consider a device silent after TIME'
complete -c luna -n '__luna_at \'luna local\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna local\'' -l passphrase-file -r -F -d 'Read the passphrase for sealed keys from FILE; - is standard input'
complete -c luna -n '__luna_at \'luna local\'' -s i -l adapter -x -d 'Listen on this adapter'
complete -c luna -n '__luna_at \'luna local\'' -l radio -x -a 'auto\\tthe\\ best\\ that\\ permissions\\ allow observe\\tthe\\ kernel\\\'s\\ monitor\\ channel\\,\\ alongside\\ bluetoothd mgmt\\tthe\\ kernel\\\'s\\ management\\ interface dbus\\tbluetoothd\\\'s\\ discovery\\;\\ needs\\ no\\ privilege exclusive\\ttake\\ the\\ adapter\\ away\\ from\\ all\\ other\\ programs h4:\\tan\\ HCI\\ controller\\ behind\\ TCP\\,\\ a\\ socket\\ or\\ a\\ serial\\ line virtual\\ta\\ simulated\\ room\\;\\ needs\\ no\\ adapter' -d 'How to listen; h4: takes tcp:HOST:PORT or a path, virtual: takes a seed'
complete -c luna -n '__luna_at \'luna local\'' -s r -l read -r -F -d 'Read a capture (btsnoop, pcap, pcapng); - is standard input'
complete -c luna -n '__luna_at \'luna local\'' -l realtime -d 'With --read: play at the recorded pace'
complete -c luna -n '__luna_at \'luna local\'' -s w -l write -r -F -d 'Record what is heard (.btsnoop or .pcapng)'
complete -c luna -n '__luna_at \'luna local\'' -l force -d 'With --write: overwrite an existing file'
complete -c luna -n '__luna_at \'luna local\'' -s T -l duration -x -d 'Stop after TIME (10s, 5m, 1h)'
complete -c luna -n '__luna_at \'luna local\'' -s c -l count -x -d 'Stop after showing N advertisements'
complete -c luna -n '__luna_at \'luna local\'' -l active -d 'Request scan responses from advertisers'
complete -c luna -n '__luna_at \'luna local\'' -l passive -d 'Only listen; transmit nothing'
complete -c luna -n '__luna_at \'luna local\'' -l phy -x -a '(__luna_list 1m coded)' -d 'Primary PHYs to listen on: 1m, coded'
complete -c luna -n '__luna_at \'luna local\'' -l speed -x -d 'Run protocol time N times faster; needs --epoch'
complete -c luna -n '__luna_at \'luna local\'' -l epoch -x -d 'When protocol time equals real time (2026-01-02T03:04:05Z, or Unix seconds)'
complete -c luna -n '__luna_at \'luna local\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna local\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna local\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna local\'' -l config -r -F -d 'Read options from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna local\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna onboard\'' -l name -x -d 'What to call it'
complete -c luna -n '__luna_at \'luna onboard\'' -l code -x -d 'The code on its label; --code-file is safer'
complete -c luna -n '__luna_at \'luna onboard\'' -l code-file -r -F -d 'Read the code from FILE; - is standard input'
complete -c luna -n '__luna_at \'luna onboard\'' -l qr -r -F -d 'Read the code from a picture of the label (with zbarimg)'
complete -c luna -n '__luna_at \'luna onboard\'' -l unauthenticated -d 'Onboard without a code, with no proof which tracker answers'
complete -c luna -n '__luna_at \'luna onboard\'' -l wait -x -d 'Wait this long for a tracker that accepts connections'
complete -c luna -n '__luna_at \'luna onboard\'' -l dry-run -d 'Find the tracker and say what would happen'
complete -c luna -n '__luna_at \'luna onboard\'' -l format -x -a 'table jsonl csv' -d 'table, jsonl or csv'
complete -c luna -n '__luna_at \'luna onboard\'' -s i -l adapter -x -d 'Use this adapter'
complete -c luna -n '__luna_at \'luna onboard\'' -l radio -x -a 'auto\\tthe\\ best\\ that\\ permissions\\ allow observe\\tthe\\ kernel\\\'s\\ monitor\\ channel\\,\\ alongside\\ bluetoothd mgmt\\tthe\\ kernel\\\'s\\ management\\ interface dbus\\tbluetoothd\\\'s\\ discovery\\;\\ needs\\ no\\ privilege exclusive\\ttake\\ the\\ adapter\\ away\\ from\\ all\\ other\\ programs h4:\\tan\\ HCI\\ controller\\ behind\\ TCP\\,\\ a\\ socket\\ or\\ a\\ serial\\ line virtual\\ta\\ simulated\\ room\\;\\ needs\\ no\\ adapter' -d 'How to listen and connect; h4: takes tcp:HOST:PORT or a path, virtual: takes a seed'
complete -c luna -n '__luna_at \'luna onboard\'' -l speed -x -d 'Run protocol time N times faster; needs --epoch'
complete -c luna -n '__luna_at \'luna onboard\'' -l epoch -x -d 'When protocol time equals real time (2026-01-02T03:04:05Z, or Unix seconds)'
complete -c luna -n '__luna_at \'luna onboard\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna onboard\'' -l passphrase-file -r -F -d 'Read the passphrase for sealed keys from FILE; - is standard input'
complete -c luna -n '__luna_at \'luna onboard\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna onboard\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna onboard\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna onboard\'' -l config -r -F -d 'Read options from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna onboard\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna buzz\'' -l seconds -x -d 'How many seconds it sounds'
complete -c luna -n '__luna_at \'luna buzz\'' -l stop -d 'Stop the sound'
complete -c luna -n '__luna_at \'luna buzz\'' -l package -r -F -d 'Deliver a control package from FILE (JSON); - is standard input'
complete -c luna -n '__luna_at \'luna buzz\'' -l any -d 'Ring a tracker, even one that isn\'t yours'
complete -c luna -n '__luna_at \'luna buzz\'' -l format -x -a 'table jsonl csv' -d 'table, jsonl or csv'
complete -c luna -n '__luna_at \'luna buzz\'' -s i -l adapter -x -d 'Use this adapter'
complete -c luna -n '__luna_at \'luna buzz\'' -l radio -x -a 'auto\\tthe\\ best\\ that\\ permissions\\ allow observe\\tthe\\ kernel\\\'s\\ monitor\\ channel\\,\\ alongside\\ bluetoothd mgmt\\tthe\\ kernel\\\'s\\ management\\ interface dbus\\tbluetoothd\\\'s\\ discovery\\;\\ needs\\ no\\ privilege exclusive\\ttake\\ the\\ adapter\\ away\\ from\\ all\\ other\\ programs h4:\\tan\\ HCI\\ controller\\ behind\\ TCP\\,\\ a\\ socket\\ or\\ a\\ serial\\ line virtual\\ta\\ simulated\\ room\\;\\ needs\\ no\\ adapter' -d 'How to listen and connect; h4: takes tcp:HOST:PORT or a path, virtual: takes a seed'
complete -c luna -n '__luna_at \'luna buzz\'' -s T -l duration -x -d 'Give up after TIME, such as 30s or 5m'
complete -c luna -n '__luna_at \'luna buzz\'' -l speed -x -d 'Run protocol time N times faster; needs --epoch'
complete -c luna -n '__luna_at \'luna buzz\'' -l epoch -x -d 'When protocol time equals real time (2026-01-02T03:04:05Z, or Unix seconds)'
complete -c luna -n '__luna_at \'luna buzz\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna buzz\'' -l passphrase-file -r -F -d 'Read the passphrase for sealed keys from FILE; - is standard input'
complete -c luna -n '__luna_at \'luna buzz\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna buzz\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna buzz\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna buzz\'' -l config -r -F -d 'Read options from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna buzz\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna identify\'' -l wait -x -d 'Keep asking for the identifier for TIME, until its button is pressed'
complete -c luna -n '__luna_at \'luna identify\'' -l format -x -a 'table jsonl csv' -d 'table, jsonl or csv'
complete -c luna -n '__luna_at \'luna identify\'' -s i -l adapter -x -d 'Use this adapter'
complete -c luna -n '__luna_at \'luna identify\'' -l radio -x -a 'auto\\tthe\\ best\\ that\\ permissions\\ allow observe\\tthe\\ kernel\\\'s\\ monitor\\ channel\\,\\ alongside\\ bluetoothd mgmt\\tthe\\ kernel\\\'s\\ management\\ interface dbus\\tbluetoothd\\\'s\\ discovery\\;\\ needs\\ no\\ privilege exclusive\\ttake\\ the\\ adapter\\ away\\ from\\ all\\ other\\ programs h4:\\tan\\ HCI\\ controller\\ behind\\ TCP\\,\\ a\\ socket\\ or\\ a\\ serial\\ line virtual\\ta\\ simulated\\ room\\;\\ needs\\ no\\ adapter' -d 'How to listen and connect; h4: takes tcp:HOST:PORT or a path, virtual: takes a seed'
complete -c luna -n '__luna_at \'luna identify\'' -s T -l duration -x -d 'Give up after TIME, such as 30s or 5m'
complete -c luna -n '__luna_at \'luna identify\'' -l speed -x -d 'Run protocol time N times faster; needs --epoch'
complete -c luna -n '__luna_at \'luna identify\'' -l epoch -x -d 'When protocol time equals real time (2026-01-02T03:04:05Z, or Unix seconds)'
complete -c luna -n '__luna_at \'luna identify\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna identify\'' -l passphrase-file -r -F -d 'Read the passphrase for sealed keys from FILE; - is standard input'
complete -c luna -n '__luna_at \'luna identify\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna identify\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna identify\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna identify\'' -l config -r -F -d 'Read options from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna identify\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna owner\' 0' -a list -d 'List your devices.'
complete -c luna -n '__luna_at \'luna owner\' 0' -a show -d 'Show what is known about a device.'
complete -c luna -n '__luna_at \'luna owner\' 0' -a events -d 'Fetch and open what gateways reported about a tracker.'
complete -c luna -n '__luna_at \'luna owner\' 0' -a buzz -d 'Ring a tracker that is near any gateway.'
complete -c luna -n '__luna_at \'luna owner\' 0' -a packages -d 'Make control packages for the coming hours.'
complete -c luna -n '__luna_at \'luna owner\' 0' -a rename -d 'Rename a device.'
complete -c luna -n '__luna_at \'luna owner\' 0' -a forget -d 'Remove a device and everything known about it.'
complete -c luna -n '__luna_at \'luna owner\' 0' -a export -d 'Write all devices with their keys to a file (JSON, mode 0600).'
complete -c luna -n '__luna_at \'luna owner\' 0' -a import -d 'Add the devices in a file.'
complete -c luna -n '__luna_at \'luna owner\' 0' -a ping -d 'Check that a tracker is there, and read its clock.'
complete -c luna -n '__luna_at \'luna owner\' 0' -a set-clock -d 'Set a tracker\'s clock to this machine\'s.'
complete -c luna -n '__luna_at \'luna owner\' 0' -a here -d 'Tell a tracker that its owner is near.'
complete -c luna -n '__luna_at \'luna owner\' 0' -a blink -d 'Make a tracker blink.'
complete -c luna -n '__luna_at \'luna owner\' 0' -a reset -d 'Make a tracker forget its owner.'
complete -c luna -n '__luna_at \'luna owner\' 0' -a seal -d 'Protect the keys with a passphrase, or change it.'
complete -c luna -n '__luna_at \'luna owner\' 0' -a unseal -d 'Remove the passphrase from the keys.'
complete -c luna -n '__luna_at \'luna owner\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna owner\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna owner\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna owner\'' -l config -r -F -d 'Read options from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna owner\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna owner list\'' -l format -x -a 'table jsonl csv' -d 'table, jsonl or csv'
complete -c luna -n '__luna_at \'luna owner list\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna owner list\'' -l passphrase-file -r -F -d 'Read the passphrase for sealed keys from FILE; - is standard input'
complete -c luna -n '__luna_at \'luna owner list\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna owner list\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna owner list\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna owner list\'' -l config -r -F -d 'Read options from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna owner list\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna owner show\'' -l secrets -d 'Show the keys too, with JSON lines'
complete -c luna -n '__luna_at \'luna owner show\'' -l format -x -a 'table jsonl csv' -d 'table, jsonl or csv'
complete -c luna -n '__luna_at \'luna owner show\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna owner show\'' -l passphrase-file -r -F -d 'Read the passphrase for sealed keys from FILE; - is standard input'
complete -c luna -n '__luna_at \'luna owner show\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna owner show\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna owner show\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna owner show\'' -l config -r -F -d 'Read options from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna owner show\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna owner events\'' -l from -x -d 'From when'
complete -c luna -n '__luna_at \'luna owner events\'' -l to -x -d 'Until when (not inclusive)'
complete -c luna -n '__luna_at \'luna owner events\'' -l as -x -a 'json gpx geojson kml csv svg' -d 'json, gpx, geojson, kml, csv or svg'
complete -c luna -n '__luna_at \'luna owner events\'' -l backend -x -d 'The backend, https://HOST[:PORT]'
complete -c luna -n '__luna_at \'luna owner events\'' -l token-file -r -F -d 'Read the token of this owner from FILE'
complete -c luna -n '__luna_at \'luna owner events\'' -l ca-file -r -F -d 'Trust the certificates in FILE (PEM) instead of the system\'s'
complete -c luna -n '__luna_at \'luna owner events\'' -l proxy -x -d 'Use a proxy (http://HOST:PORT, socks5h://HOST:PORT); - for none'
complete -c luna -n '__luna_at \'luna owner events\'' -l allow-plain-http -d 'Allow plain http to other machines: anybody on the network path can read the token'
complete -c luna -n '__luna_at \'luna owner events\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna owner events\'' -l passphrase-file -r -F -d 'Read the passphrase for sealed keys from FILE; - is standard input'
complete -c luna -n '__luna_at \'luna owner events\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna owner events\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna owner events\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna owner events\'' -l config -r -F -d 'Read options from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna owner events\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna owner buzz\'' -l remote -d 'Through the backend and its gateways'
complete -c luna -n '__luna_at \'luna owner buzz\'' -l hours -x -d 'How many hours the request is valid'
complete -c luna -n '__luna_at \'luna owner buzz\'' -l seconds -x -d 'How many seconds it rings'
complete -c luna -n '__luna_at \'luna owner buzz\'' -l wait -x -d 'Follow it for at most TIME; what is not delivered by then keeps waiting for a gateway'
complete -c luna -n '__luna_at \'luna owner buzz\'' -l format -x -a 'table jsonl csv' -d 'table or jsonl'
complete -c luna -n '__luna_at \'luna owner buzz\'' -l backend -x -d 'The backend, https://HOST[:PORT]'
complete -c luna -n '__luna_at \'luna owner buzz\'' -l token-file -r -F -d 'Read the token of this owner from FILE'
complete -c luna -n '__luna_at \'luna owner buzz\'' -l ca-file -r -F -d 'Trust the certificates in FILE (PEM) instead of the system\'s'
complete -c luna -n '__luna_at \'luna owner buzz\'' -l proxy -x -d 'Use a proxy (http://HOST:PORT, socks5h://HOST:PORT); - for none'
complete -c luna -n '__luna_at \'luna owner buzz\'' -l allow-plain-http -d 'Allow plain http to other machines: anybody on the network path can read the token'
complete -c luna -n '__luna_at \'luna owner buzz\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna owner buzz\'' -l passphrase-file -r -F -d 'Read the passphrase for sealed keys from FILE; - is standard input'
complete -c luna -n '__luna_at \'luna owner buzz\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna owner buzz\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna owner buzz\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna owner buzz\'' -l config -r -F -d 'Read options from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna owner buzz\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna owner packages\'' -l hours -x -d 'How many hours they are valid'
complete -c luna -n '__luna_at \'luna owner packages\'' -l command -x -a 'buzzStart buzzStop blink ping' -d 'What the tracker does'
complete -c luna -n '__luna_at \'luna owner packages\'' -l seconds -x -d 'How many seconds it sounds or blinks'
complete -c luna -n '__luna_at \'luna owner packages\'' -l at -x -d 'When they become valid'
complete -c luna -n '__luna_at \'luna owner packages\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna owner packages\'' -l passphrase-file -r -F -d 'Read the passphrase for sealed keys from FILE; - is standard input'
complete -c luna -n '__luna_at \'luna owner packages\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna owner packages\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna owner packages\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna owner packages\'' -l config -r -F -d 'Read options from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna owner packages\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna owner rename\'' -l format -x -a 'table jsonl csv' -d 'table, jsonl or csv'
complete -c luna -n '__luna_at \'luna owner rename\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna owner rename\'' -l passphrase-file -r -F -d 'Read the passphrase for sealed keys from FILE; - is standard input'
complete -c luna -n '__luna_at \'luna owner rename\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna owner rename\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna owner rename\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna owner rename\'' -l config -r -F -d 'Read options from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna owner rename\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna owner forget\'' -s y -l yes -d 'Do not ask'
complete -c luna -n '__luna_at \'luna owner forget\'' -l format -x -a 'table jsonl csv' -d 'table, jsonl or csv'
complete -c luna -n '__luna_at \'luna owner forget\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna owner forget\'' -l passphrase-file -r -F -d 'Read the passphrase for sealed keys from FILE; - is standard input'
complete -c luna -n '__luna_at \'luna owner forget\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna owner forget\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna owner forget\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna owner forget\'' -l config -r -F -d 'Read options from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna owner forget\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna owner export\'' -l force -d 'Overwrite an existing file'
complete -c luna -n '__luna_at \'luna owner export\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna owner export\'' -l passphrase-file -r -F -d 'Read the passphrase for sealed keys from FILE; - is standard input'
complete -c luna -n '__luna_at \'luna owner export\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna owner export\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna owner export\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna owner export\'' -l config -r -F -d 'Read options from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna owner export\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna owner export\' 0' -F
complete -c luna -n '__luna_at \'luna owner import\'' -l alignment -r -F -d 'The key alignment record of the accessory, as an XML property list'
complete -c luna -n '__luna_at \'luna owner import\'' -l format -x -a 'table jsonl csv' -d 'table, jsonl or csv'
complete -c luna -n '__luna_at \'luna owner import\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna owner import\'' -l passphrase-file -r -F -d 'Read the passphrase for sealed keys from FILE; - is standard input'
complete -c luna -n '__luna_at \'luna owner import\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna owner import\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna owner import\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna owner import\'' -l config -r -F -d 'Read options from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna owner import\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna owner import\' 0' -F
complete -c luna -n '__luna_at \'luna owner ping\'' -l format -x -a 'table jsonl csv' -d 'table, jsonl or csv'
complete -c luna -n '__luna_at \'luna owner ping\'' -s i -l adapter -x -d 'Use this adapter'
complete -c luna -n '__luna_at \'luna owner ping\'' -l radio -x -a 'auto\\tthe\\ best\\ that\\ permissions\\ allow observe\\tthe\\ kernel\\\'s\\ monitor\\ channel\\,\\ alongside\\ bluetoothd mgmt\\tthe\\ kernel\\\'s\\ management\\ interface dbus\\tbluetoothd\\\'s\\ discovery\\;\\ needs\\ no\\ privilege exclusive\\ttake\\ the\\ adapter\\ away\\ from\\ all\\ other\\ programs h4:\\tan\\ HCI\\ controller\\ behind\\ TCP\\,\\ a\\ socket\\ or\\ a\\ serial\\ line virtual\\ta\\ simulated\\ room\\;\\ needs\\ no\\ adapter' -d 'How to listen and connect; h4: takes tcp:HOST:PORT or a path, virtual: takes a seed'
complete -c luna -n '__luna_at \'luna owner ping\'' -s T -l duration -x -d 'Give up after TIME, such as 30s or 5m'
complete -c luna -n '__luna_at \'luna owner ping\'' -l speed -x -d 'Run protocol time N times faster; needs --epoch'
complete -c luna -n '__luna_at \'luna owner ping\'' -l epoch -x -d 'When protocol time equals real time (2026-01-02T03:04:05Z, or Unix seconds)'
complete -c luna -n '__luna_at \'luna owner ping\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna owner ping\'' -l passphrase-file -r -F -d 'Read the passphrase for sealed keys from FILE; - is standard input'
complete -c luna -n '__luna_at \'luna owner ping\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna owner ping\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna owner ping\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna owner ping\'' -l config -r -F -d 'Read options from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna owner ping\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna owner set-clock\'' -l format -x -a 'table jsonl csv' -d 'table, jsonl or csv'
complete -c luna -n '__luna_at \'luna owner set-clock\'' -s i -l adapter -x -d 'Use this adapter'
complete -c luna -n '__luna_at \'luna owner set-clock\'' -l radio -x -a 'auto\\tthe\\ best\\ that\\ permissions\\ allow observe\\tthe\\ kernel\\\'s\\ monitor\\ channel\\,\\ alongside\\ bluetoothd mgmt\\tthe\\ kernel\\\'s\\ management\\ interface dbus\\tbluetoothd\\\'s\\ discovery\\;\\ needs\\ no\\ privilege exclusive\\ttake\\ the\\ adapter\\ away\\ from\\ all\\ other\\ programs h4:\\tan\\ HCI\\ controller\\ behind\\ TCP\\,\\ a\\ socket\\ or\\ a\\ serial\\ line virtual\\ta\\ simulated\\ room\\;\\ needs\\ no\\ adapter' -d 'How to listen and connect; h4: takes tcp:HOST:PORT or a path, virtual: takes a seed'
complete -c luna -n '__luna_at \'luna owner set-clock\'' -s T -l duration -x -d 'Give up after TIME, such as 30s or 5m'
complete -c luna -n '__luna_at \'luna owner set-clock\'' -l speed -x -d 'Run protocol time N times faster; needs --epoch'
complete -c luna -n '__luna_at \'luna owner set-clock\'' -l epoch -x -d 'When protocol time equals real time (2026-01-02T03:04:05Z, or Unix seconds)'
complete -c luna -n '__luna_at \'luna owner set-clock\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna owner set-clock\'' -l passphrase-file -r -F -d 'Read the passphrase for sealed keys from FILE; - is standard input'
complete -c luna -n '__luna_at \'luna owner set-clock\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna owner set-clock\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna owner set-clock\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna owner set-clock\'' -l config -r -F -d 'Read options from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna owner set-clock\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna owner here\'' -l format -x -a 'table jsonl csv' -d 'table, jsonl or csv'
complete -c luna -n '__luna_at \'luna owner here\'' -s i -l adapter -x -d 'Use this adapter'
complete -c luna -n '__luna_at \'luna owner here\'' -l radio -x -a 'auto\\tthe\\ best\\ that\\ permissions\\ allow observe\\tthe\\ kernel\\\'s\\ monitor\\ channel\\,\\ alongside\\ bluetoothd mgmt\\tthe\\ kernel\\\'s\\ management\\ interface dbus\\tbluetoothd\\\'s\\ discovery\\;\\ needs\\ no\\ privilege exclusive\\ttake\\ the\\ adapter\\ away\\ from\\ all\\ other\\ programs h4:\\tan\\ HCI\\ controller\\ behind\\ TCP\\,\\ a\\ socket\\ or\\ a\\ serial\\ line virtual\\ta\\ simulated\\ room\\;\\ needs\\ no\\ adapter' -d 'How to listen and connect; h4: takes tcp:HOST:PORT or a path, virtual: takes a seed'
complete -c luna -n '__luna_at \'luna owner here\'' -s T -l duration -x -d 'Give up after TIME, such as 30s or 5m'
complete -c luna -n '__luna_at \'luna owner here\'' -l speed -x -d 'Run protocol time N times faster; needs --epoch'
complete -c luna -n '__luna_at \'luna owner here\'' -l epoch -x -d 'When protocol time equals real time (2026-01-02T03:04:05Z, or Unix seconds)'
complete -c luna -n '__luna_at \'luna owner here\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna owner here\'' -l passphrase-file -r -F -d 'Read the passphrase for sealed keys from FILE; - is standard input'
complete -c luna -n '__luna_at \'luna owner here\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna owner here\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna owner here\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna owner here\'' -l config -r -F -d 'Read options from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna owner here\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna owner blink\'' -l seconds -x -d 'How many seconds it blinks'
complete -c luna -n '__luna_at \'luna owner blink\'' -l format -x -a 'table jsonl csv' -d 'table, jsonl or csv'
complete -c luna -n '__luna_at \'luna owner blink\'' -s i -l adapter -x -d 'Use this adapter'
complete -c luna -n '__luna_at \'luna owner blink\'' -l radio -x -a 'auto\\tthe\\ best\\ that\\ permissions\\ allow observe\\tthe\\ kernel\\\'s\\ monitor\\ channel\\,\\ alongside\\ bluetoothd mgmt\\tthe\\ kernel\\\'s\\ management\\ interface dbus\\tbluetoothd\\\'s\\ discovery\\;\\ needs\\ no\\ privilege exclusive\\ttake\\ the\\ adapter\\ away\\ from\\ all\\ other\\ programs h4:\\tan\\ HCI\\ controller\\ behind\\ TCP\\,\\ a\\ socket\\ or\\ a\\ serial\\ line virtual\\ta\\ simulated\\ room\\;\\ needs\\ no\\ adapter' -d 'How to listen and connect; h4: takes tcp:HOST:PORT or a path, virtual: takes a seed'
complete -c luna -n '__luna_at \'luna owner blink\'' -s T -l duration -x -d 'Give up after TIME, such as 30s or 5m'
complete -c luna -n '__luna_at \'luna owner blink\'' -l speed -x -d 'Run protocol time N times faster; needs --epoch'
complete -c luna -n '__luna_at \'luna owner blink\'' -l epoch -x -d 'When protocol time equals real time (2026-01-02T03:04:05Z, or Unix seconds)'
complete -c luna -n '__luna_at \'luna owner blink\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna owner blink\'' -l passphrase-file -r -F -d 'Read the passphrase for sealed keys from FILE; - is standard input'
complete -c luna -n '__luna_at \'luna owner blink\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna owner blink\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna owner blink\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna owner blink\'' -l config -r -F -d 'Read options from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna owner blink\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna owner reset\'' -s y -l yes -d 'Do not ask'
complete -c luna -n '__luna_at \'luna owner reset\'' -l format -x -a 'table jsonl csv' -d 'table, jsonl or csv'
complete -c luna -n '__luna_at \'luna owner reset\'' -s i -l adapter -x -d 'Use this adapter'
complete -c luna -n '__luna_at \'luna owner reset\'' -l radio -x -a 'auto\\tthe\\ best\\ that\\ permissions\\ allow observe\\tthe\\ kernel\\\'s\\ monitor\\ channel\\,\\ alongside\\ bluetoothd mgmt\\tthe\\ kernel\\\'s\\ management\\ interface dbus\\tbluetoothd\\\'s\\ discovery\\;\\ needs\\ no\\ privilege exclusive\\ttake\\ the\\ adapter\\ away\\ from\\ all\\ other\\ programs h4:\\tan\\ HCI\\ controller\\ behind\\ TCP\\,\\ a\\ socket\\ or\\ a\\ serial\\ line virtual\\ta\\ simulated\\ room\\;\\ needs\\ no\\ adapter' -d 'How to listen and connect; h4: takes tcp:HOST:PORT or a path, virtual: takes a seed'
complete -c luna -n '__luna_at \'luna owner reset\'' -s T -l duration -x -d 'Give up after TIME, such as 30s or 5m'
complete -c luna -n '__luna_at \'luna owner reset\'' -l speed -x -d 'Run protocol time N times faster; needs --epoch'
complete -c luna -n '__luna_at \'luna owner reset\'' -l epoch -x -d 'When protocol time equals real time (2026-01-02T03:04:05Z, or Unix seconds)'
complete -c luna -n '__luna_at \'luna owner reset\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna owner reset\'' -l passphrase-file -r -F -d 'Read the passphrase for sealed keys from FILE; - is standard input'
complete -c luna -n '__luna_at \'luna owner reset\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna owner reset\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna owner reset\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna owner reset\'' -l config -r -F -d 'Read options from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna owner reset\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna owner seal\'' -l new-passphrase-file -r -F -d 'Read the new passphrase from FILE'
complete -c luna -n '__luna_at \'luna owner seal\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna owner seal\'' -l passphrase-file -r -F -d 'Read the passphrase for sealed keys from FILE; - is standard input'
complete -c luna -n '__luna_at \'luna owner seal\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna owner seal\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna owner seal\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna owner seal\'' -l config -r -F -d 'Read options from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna owner seal\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna owner unseal\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna owner unseal\'' -l passphrase-file -r -F -d 'Read the passphrase for sealed keys from FILE; - is standard input'
complete -c luna -n '__luna_at \'luna owner unseal\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna owner unseal\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna owner unseal\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna owner unseal\'' -l config -r -F -d 'Read options from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna owner unseal\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna finder\' 0' -a enroll -d 'Get this gateway\'s token with an enrolment code.'
complete -c luna -n '__luna_at \'luna finder\' 0' -a status -d 'Show what a finder has queued, what it has lost, and how long an outage may last.'
complete -c luna -n '__luna_at \'luna finder\'' -l location -x -a 'static:\\ta\\ fixed\\ place gpsd\\ta\\ satellite\\ receiver geoclue\\tthe\\ system\\\'s\\ location\\ service' -d 'static:LAT,LON[,ALT], gpsd[:HOST:PORT] or geoclue'
complete -c luna -n '__luna_at \'luna finder\'' -l once -d 'Listen for 64 s (or --duration), upload and exit; with 1 if nothing was heard, 9 if the upload failed'
complete -c luna -n '__luna_at \'luna finder\'' -l duty -x -a 'auto full sparse' -d 'auto (little until a tracker is near), full, or sparse'
complete -c luna -n '__luna_at \'luna finder\'' -l format -x -a 'text\\ta\\ plain\\ log\\,\\ for\\ the\\ journal\\ of\\ a\\ service jsonl\\ta\\ JSON\\ object\\ on\\ each\\ line' -d 'text or jsonl'
complete -c luna -n '__luna_at \'luna finder\'' -l backend -x -d 'The backend, https://HOST[:PORT]'
complete -c luna -n '__luna_at \'luna finder\'' -l token-file -r -F -d 'Read the token of this gateway from FILE'
complete -c luna -n '__luna_at \'luna finder\'' -l ca-file -r -F -d 'Trust the certificates in FILE (PEM) instead of the system\'s'
complete -c luna -n '__luna_at \'luna finder\'' -l proxy -x -d 'Use a proxy (http://HOST:PORT, socks5h://HOST:PORT); - for none'
complete -c luna -n '__luna_at \'luna finder\'' -l allow-plain-http -d 'Allow plain http to other machines: anybody on the network path can read the token'
complete -c luna -n '__luna_at \'luna finder\'' -l batch -x -d 'Upload as soon as N events are waiting'
complete -c luna -n '__luna_at \'luna finder\'' -l batch-time -x -d 'Upload once an event has waited for TIME'
complete -c luna -n '__luna_at \'luna finder\'' -l interval -x -d 'Report a tracker at most once per TIME'
complete -c luna -n '__luna_at \'luna finder\'' -l queue-limit -x -d 'Keep at most N events'
complete -c luna -n '__luna_at \'luna finder\'' -l distance -x -d 'Change the reported position only when it has moved by METRES'
complete -c luna -n '__luna_at \'luna finder\'' -l accuracy -x -d 'The accuracy wanted of positions'
complete -c luna -n '__luna_at \'luna finder\'' -l debug-fields -d 'Also send positions and identifiers in the clear, for tests'
complete -c luna -n '__luna_at \'luna finder\'' -l allow-insecure-debug-fields -d 'Confirm that anybody at the backend may read them'
complete -c luna -n '__luna_at \'luna finder\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna finder\'' -s i -l adapter -x -d 'Listen on this adapter'
complete -c luna -n '__luna_at \'luna finder\'' -l radio -x -a 'auto\\tthe\\ best\\ that\\ permissions\\ allow observe\\tthe\\ kernel\\\'s\\ monitor\\ channel\\,\\ alongside\\ bluetoothd mgmt\\tthe\\ kernel\\\'s\\ management\\ interface dbus\\tbluetoothd\\\'s\\ discovery\\;\\ needs\\ no\\ privilege exclusive\\ttake\\ the\\ adapter\\ away\\ from\\ all\\ other\\ programs h4:\\tan\\ HCI\\ controller\\ behind\\ TCP\\,\\ a\\ socket\\ or\\ a\\ serial\\ line virtual\\ta\\ simulated\\ room\\;\\ needs\\ no\\ adapter' -d 'How to listen; h4: takes tcp:HOST:PORT or a path, virtual: takes a seed'
complete -c luna -n '__luna_at \'luna finder\'' -s r -l read -r -F -d 'Read a capture (btsnoop, pcap, pcapng); - is standard input'
complete -c luna -n '__luna_at \'luna finder\'' -l realtime -d 'With --read: play at the recorded pace'
complete -c luna -n '__luna_at \'luna finder\'' -s w -l write -r -F -d 'Record what is heard (.btsnoop or .pcapng)'
complete -c luna -n '__luna_at \'luna finder\'' -l force -d 'With --write: overwrite an existing file'
complete -c luna -n '__luna_at \'luna finder\'' -s T -l duration -x -d 'Stop after TIME (10s, 5m, 1h)'
complete -c luna -n '__luna_at \'luna finder\'' -s c -l count -x -d 'Stop after showing N advertisements'
complete -c luna -n '__luna_at \'luna finder\'' -l active -d 'Request scan responses from advertisers'
complete -c luna -n '__luna_at \'luna finder\'' -l passive -d 'Only listen; transmit nothing'
complete -c luna -n '__luna_at \'luna finder\'' -l phy -x -a '(__luna_list 1m coded)' -d 'Primary PHYs to listen on: 1m, coded'
complete -c luna -n '__luna_at \'luna finder\'' -l speed -x -d 'Run protocol time N times faster; needs --epoch'
complete -c luna -n '__luna_at \'luna finder\'' -l epoch -x -d 'When protocol time equals real time (2026-01-02T03:04:05Z, or Unix seconds)'
complete -c luna -n '__luna_at \'luna finder\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna finder\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna finder\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna finder\'' -l config -r -F -d 'Read options from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna finder\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna finder enroll\'' -l code-file -r -F -d 'Read the code from FILE; - is standard input'
complete -c luna -n '__luna_at \'luna finder enroll\'' -l force -d 'Overwrite an existing --token-file'
complete -c luna -n '__luna_at \'luna finder enroll\'' -l backend -x -d 'The backend, https://HOST[:PORT]'
complete -c luna -n '__luna_at \'luna finder enroll\'' -l token-file -r -F -d 'Read the token of this gateway from FILE'
complete -c luna -n '__luna_at \'luna finder enroll\'' -l ca-file -r -F -d 'Trust the certificates in FILE (PEM) instead of the system\'s'
complete -c luna -n '__luna_at \'luna finder enroll\'' -l proxy -x -d 'Use a proxy (http://HOST:PORT, socks5h://HOST:PORT); - for none'
complete -c luna -n '__luna_at \'luna finder enroll\'' -l allow-plain-http -d 'Allow plain http to other machines: anybody on the network path can read the token'
complete -c luna -n '__luna_at \'luna finder enroll\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna finder enroll\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna finder enroll\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna finder enroll\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna finder enroll\'' -l config -r -F -d 'Read options from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna finder enroll\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna finder status\'' -l format -x -a 'table jsonl csv' -d 'table or jsonl'
complete -c luna -n '__luna_at \'luna finder status\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna finder status\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna finder status\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna finder status\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna finder status\'' -l config -r -F -d 'Read options from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna finder status\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna backend\' 0' -a token -d 'Make, list and revoke the tokens of a backend.'
complete -c luna -n '__luna_at \'luna backend\' 0' -a enroll -d 'Make a code with which a gateway can get its token once.'
complete -c luna -n '__luna_at \'luna backend\' 0' -a migrate -d 'Create the storage, or upgrade it to this version.'
complete -c luna -n '__luna_at \'luna backend\' 0' -a backup -d 'Copy everything to a file, even while a backend runs.'
complete -c luna -n '__luna_at \'luna backend\' 0' -a check-config -d 'Check whether a backend would start with these options.'
complete -c luna -n '__luna_at \'luna backend\'' -l listen -x -d 'Where to listen; port 0 picks a free port'
complete -c luna -n '__luna_at \'luna backend\'' -l tls-cert -r -F -d 'Serve https with these certificates (PEM)'
complete -c luna -n '__luna_at \'luna backend\'' -l tls-key -r -F -d 'Their private key (PEM)'
complete -c luna -n '__luna_at \'luna backend\'' -l retention -x -d 'Drop events after this time'
complete -c luna -n '__luna_at \'luna backend\'' -l connections -x -d 'Take at most N connections at once'
complete -c luna -n '__luna_at \'luna backend\'' -l connections-per-address -x -d 'Take at most N connections from one address (or IPv6 /64); 0 for no limit, as behind a proxy'
complete -c luna -n '__luna_at \'luna backend\'' -l requests -x -d 'Work on at most N requests at once'
complete -c luna -n '__luna_at \'luna backend\'' -l body-memory -x -d 'Hold at most this many MiB of request bodies at once'
complete -c luna -n '__luna_at \'luna backend\'' -l threads -x -d 'Serve connections with N threads'
complete -c luna -n '__luna_at \'luna backend\'' -l events-per-second -x -d 'Take at most N events a second from a gateway over time; 0 for no limit'
complete -c luna -n '__luna_at \'luna backend\'' -l requests-per-second -x -d 'Take at most N other requests a second per token over time; 0 for no limit'
complete -c luna -n '__luna_at \'luna backend\'' -l events-per-identifier -x -d 'Take at most N events an hour for one identifier; 0 for no limit'
complete -c luna -n '__luna_at \'luna backend\'' -l open-commands -x -d 'Allow an owner at most N open commands'
complete -c luna -n '__luna_at \'luna backend\'' -l testing -d 'Accept events with clear-text positions; never for real trackers'
complete -c luna -n '__luna_at \'luna backend\'' -l store -x -d 'sqlite:FILE, or postgres:CONNECTION as libpq takes it'
complete -c luna -n '__luna_at \'luna backend\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna backend\'' -l store-connections -x -d 'Use N connections to PostgreSQL; a file is read over half of N'
complete -c luna -n '__luna_at \'luna backend\'' -l store-queue -x -d 'Let at most N events wait for the disk'
complete -c luna -n '__luna_at \'luna backend\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna backend\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna backend\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna backend\'' -l config -r -F -d 'Read options from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna backend\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna backend token\' 0' -a create -d 'Make a token, which is shown only once.'
complete -c luna -n '__luna_at \'luna backend token\' 0' -a list -d 'List the tokens, including revoked ones, without their secrets.'
complete -c luna -n '__luna_at \'luna backend token\' 0' -a revoke -d 'Revoke a token at once.'
complete -c luna -n '__luna_at \'luna backend token\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna backend token\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna backend token\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna backend token\'' -l config -r -F -d 'Read options from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna backend token\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna backend token create\'' -l out -r -F -d 'Write it to FILE, mode 0600, instead of showing it'
complete -c luna -n '__luna_at \'luna backend token create\'' -l force -d 'Overwrite an existing file'
complete -c luna -n '__luna_at \'luna backend token create\'' -l format -x -a 'table jsonl csv' -d 'table, jsonl or csv'
complete -c luna -n '__luna_at \'luna backend token create\'' -l store -x -d 'sqlite:FILE, or postgres:CONNECTION as libpq takes it'
complete -c luna -n '__luna_at \'luna backend token create\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna backend token create\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna backend token create\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna backend token create\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna backend token create\'' -l config -r -F -d 'Read options from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna backend token create\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna backend token create\' 0' -a 'gateway owner admin'
complete -c luna -n '__luna_at \'luna backend token list\'' -l format -x -a 'table jsonl csv' -d 'table, jsonl or csv'
complete -c luna -n '__luna_at \'luna backend token list\'' -l store -x -d 'sqlite:FILE, or postgres:CONNECTION as libpq takes it'
complete -c luna -n '__luna_at \'luna backend token list\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna backend token list\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna backend token list\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna backend token list\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna backend token list\'' -l config -r -F -d 'Read options from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna backend token list\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna backend token revoke\'' -l store -x -d 'sqlite:FILE, or postgres:CONNECTION as libpq takes it'
complete -c luna -n '__luna_at \'luna backend token revoke\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna backend token revoke\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna backend token revoke\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna backend token revoke\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna backend token revoke\'' -l config -r -F -d 'Read options from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna backend token revoke\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna backend enroll\'' -l valid -x -d 'How long the code is valid, such as 30m or 24h'
complete -c luna -n '__luna_at \'luna backend enroll\'' -l format -x -a 'table jsonl csv' -d 'table, jsonl or csv'
complete -c luna -n '__luna_at \'luna backend enroll\'' -l store -x -d 'sqlite:FILE, or postgres:CONNECTION as libpq takes it'
complete -c luna -n '__luna_at \'luna backend enroll\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna backend enroll\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna backend enroll\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna backend enroll\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna backend enroll\'' -l config -r -F -d 'Read options from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna backend enroll\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna backend migrate\'' -l store -x -d 'sqlite:FILE, or postgres:CONNECTION as libpq takes it'
complete -c luna -n '__luna_at \'luna backend migrate\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna backend migrate\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna backend migrate\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna backend migrate\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna backend migrate\'' -l config -r -F -d 'Read options from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna backend migrate\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna backend backup\'' -l force -d 'Overwrite FILE if it exists'
complete -c luna -n '__luna_at \'luna backend backup\'' -l store -x -d 'sqlite:FILE, or postgres:CONNECTION as libpq takes it'
complete -c luna -n '__luna_at \'luna backend backup\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna backend backup\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna backend backup\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna backend backup\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna backend backup\'' -l config -r -F -d 'Read options from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna backend backup\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna backend backup\' 0' -F
complete -c luna -n '__luna_at \'luna backend check-config\'' -l listen -x -d 'Where to listen; port 0 picks a free port'
complete -c luna -n '__luna_at \'luna backend check-config\'' -l tls-cert -r -F -d 'Serve https with these certificates (PEM)'
complete -c luna -n '__luna_at \'luna backend check-config\'' -l tls-key -r -F -d 'Their private key (PEM)'
complete -c luna -n '__luna_at \'luna backend check-config\'' -l retention -x -d 'Drop events after this time'
complete -c luna -n '__luna_at \'luna backend check-config\'' -l connections -x -d 'Take at most N connections at once'
complete -c luna -n '__luna_at \'luna backend check-config\'' -l connections-per-address -x -d 'Take at most N connections from one address (or IPv6 /64); 0 for no limit, as behind a proxy'
complete -c luna -n '__luna_at \'luna backend check-config\'' -l requests -x -d 'Work on at most N requests at once'
complete -c luna -n '__luna_at \'luna backend check-config\'' -l body-memory -x -d 'Hold at most this many MiB of request bodies at once'
complete -c luna -n '__luna_at \'luna backend check-config\'' -l threads -x -d 'Serve connections with N threads'
complete -c luna -n '__luna_at \'luna backend check-config\'' -l events-per-second -x -d 'Take at most N events a second from a gateway over time; 0 for no limit'
complete -c luna -n '__luna_at \'luna backend check-config\'' -l requests-per-second -x -d 'Take at most N other requests a second per token over time; 0 for no limit'
complete -c luna -n '__luna_at \'luna backend check-config\'' -l events-per-identifier -x -d 'Take at most N events an hour for one identifier; 0 for no limit'
complete -c luna -n '__luna_at \'luna backend check-config\'' -l open-commands -x -d 'Allow an owner at most N open commands'
complete -c luna -n '__luna_at \'luna backend check-config\'' -l testing -d 'Accept events with clear-text positions; never for real trackers'
complete -c luna -n '__luna_at \'luna backend check-config\'' -l store -x -d 'sqlite:FILE, or postgres:CONNECTION as libpq takes it'
complete -c luna -n '__luna_at \'luna backend check-config\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna backend check-config\'' -l store-connections -x -d 'Use N connections to PostgreSQL; a file is read over half of N'
complete -c luna -n '__luna_at \'luna backend check-config\'' -l store-queue -x -d 'Let at most N events wait for the disk'
complete -c luna -n '__luna_at \'luna backend check-config\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna backend check-config\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna backend check-config\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna backend check-config\'' -l config -r -F -d 'Read options from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna backend check-config\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna tracker\' 0' -a create -d 'Make a tracker in software.'
complete -c luna -n '__luna_at \'luna tracker\' 0' -a run -d 'Put trackers on the air.'
complete -c luna -n '__luna_at \'luna tracker\' 0' -a list -d 'List the trackers in software.'
complete -c luna -n '__luna_at \'luna tracker\' 0' -a export -d 'Write the keys of trackers to a file for luna owner import.'
complete -c luna -n '__luna_at \'luna tracker\' 0' -a reset -d 'Reset trackers to factory state.'
complete -c luna -n '__luna_at \'luna tracker\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna tracker\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna tracker\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna tracker\'' -l config -r -F -d 'Read options from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna tracker\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna tracker create\'' -l onboardable -d 'Leave it in factory state, and print its code'
complete -c luna -n '__luna_at \'luna tracker create\'' -l code-file -r -F -d 'Like --onboardable, but write the code to FILE (mode 0600)'
complete -c luna -n '__luna_at \'luna tracker create\'' -l force -d 'Overwrite an existing file'
complete -c luna -n '__luna_at \'luna tracker create\'' -l speed -x -d 'Run protocol time N times faster; needs --epoch'
complete -c luna -n '__luna_at \'luna tracker create\'' -l epoch -x -d 'When protocol time equals real time (2026-01-02T03:04:05Z, or Unix seconds)'
complete -c luna -n '__luna_at \'luna tracker create\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna tracker create\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna tracker create\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna tracker create\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna tracker create\'' -l config -r -F -d 'Read options from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna tracker create\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna tracker run\'' -l radio -x -a 'auto\\tthe\\ best\\ that\\ permissions\\ allow dbus\\tbluetoothd\\\'s\\ discovery\\;\\ needs\\ no\\ privilege exclusive\\ttake\\ the\\ adapter\\ away\\ from\\ all\\ other\\ programs h4:\\tan\\ HCI\\ controller\\ behind\\ TCP\\,\\ a\\ socket\\ or\\ a\\ serial\\ line virtual\\ta\\ simulated\\ room\\;\\ needs\\ no\\ adapter' -d 'auto, dbus, exclusive, h4:... or virtual'
complete -c luna -n '__luna_at \'luna tracker run\'' -s i -l adapter -x -d 'Advertise with this adapter'
complete -c luna -n '__luna_at \'luna tracker run\'' -s T -l duration -x -d 'Stop after TIME (10s, 5m, 1h)'
complete -c luna -n '__luna_at \'luna tracker run\'' -l drift -x -d 'Make the oscillators wrong by PPM parts per million'
complete -c luna -n '__luna_at \'luna tracker run\'' -l lose-clock -d 'The clocks were lost during the power cut'
complete -c luna -n '__luna_at \'luna tracker run\'' -l exec -x -d 'Run COMMAND when a tracker makes a sound'
complete -c luna -n '__luna_at \'luna tracker run\'' -l exec-on -x -d 'Run it for these events instead'
complete -c luna -n '__luna_at \'luna tracker run\'' -l speed -x -d 'Run protocol time N times faster; needs --epoch'
complete -c luna -n '__luna_at \'luna tracker run\'' -l epoch -x -d 'When protocol time equals real time (2026-01-02T03:04:05Z, or Unix seconds)'
complete -c luna -n '__luna_at \'luna tracker run\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna tracker run\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna tracker run\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna tracker run\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna tracker run\'' -l config -r -F -d 'Read options from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna tracker run\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna tracker list\'' -l codes -d 'Also print the onboarding codes'
complete -c luna -n '__luna_at \'luna tracker list\'' -l radio -x -a 'virtual' -d 'Use the trackers in the simulated room'
complete -c luna -n '__luna_at \'luna tracker list\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna tracker list\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna tracker list\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna tracker list\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna tracker list\'' -l config -r -F -d 'Read options from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna tracker list\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna tracker export\'' -l radio -x -a 'virtual' -d 'Use the trackers in the simulated room'
complete -c luna -n '__luna_at \'luna tracker export\'' -l force -d 'Overwrite an existing file'
complete -c luna -n '__luna_at \'luna tracker export\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna tracker export\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna tracker export\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna tracker export\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna tracker export\'' -l config -r -F -d 'Read options from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna tracker export\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna tracker export\' 0 more' -F
complete -c luna -n '__luna_at \'luna tracker reset\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna tracker reset\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna tracker reset\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna tracker reset\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna tracker reset\'' -l config -r -F -d 'Read options from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna tracker reset\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna demo\'' -l force -d 'Overwrite an existing file'
complete -c luna -n '__luna_at \'luna demo\'' -l picture -r -F -d 'Draw the map to FILE (SVG)'
complete -c luna -n '__luna_at \'luna demo\'' -l keep -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep the databases in DIR, which must be empty or new'
complete -c luna -n '__luna_at \'luna demo\'' -l speed -x -d 'Run time N times faster'
complete -c luna -n '__luna_at \'luna demo\'' -l format -x -a 'text\\tfor\\ people jsonl\\ta\\ JSON\\ object\\ on\\ each\\ line' -d 'text or jsonl'
complete -c luna -n '__luna_at \'luna demo\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna demo\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna demo\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna demo\'' -l config -r -F -d 'Read options from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna demo\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna adapters\'' -l format -x -a 'table jsonl csv' -d 'table, jsonl or csv'
complete -c luna -n '__luna_at \'luna adapters\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna adapters\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna adapters\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna adapters\'' -l config -r -F -d 'Read options from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna adapters\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna capture\'' -s i -l adapter -x -d 'Listen on this adapter'
complete -c luna -n '__luna_at \'luna capture\'' -l radio -x -a 'auto\\tthe\\ best\\ that\\ permissions\\ allow observe\\tthe\\ kernel\\\'s\\ monitor\\ channel\\,\\ alongside\\ bluetoothd mgmt\\tthe\\ kernel\\\'s\\ management\\ interface dbus\\tbluetoothd\\\'s\\ discovery\\;\\ needs\\ no\\ privilege exclusive\\ttake\\ the\\ adapter\\ away\\ from\\ all\\ other\\ programs h4:\\tan\\ HCI\\ controller\\ behind\\ TCP\\,\\ a\\ socket\\ or\\ a\\ serial\\ line virtual\\ta\\ simulated\\ room\\;\\ needs\\ no\\ adapter' -d 'How to listen; h4: takes tcp:HOST:PORT or a path, virtual: takes a seed'
complete -c luna -n '__luna_at \'luna capture\'' -s r -l read -r -F -d 'Read a capture (btsnoop, pcap, pcapng); - is standard input'
complete -c luna -n '__luna_at \'luna capture\'' -l realtime -d 'With --read: play at the recorded pace'
complete -c luna -n '__luna_at \'luna capture\'' -s w -l write -r -F -d 'Record what is heard (.btsnoop or .pcapng)'
complete -c luna -n '__luna_at \'luna capture\'' -l force -d 'With --write: overwrite an existing file'
complete -c luna -n '__luna_at \'luna capture\'' -s T -l duration -x -d 'Stop after TIME (10s, 5m, 1h)'
complete -c luna -n '__luna_at \'luna capture\'' -s c -l count -x -d 'Stop after showing N advertisements'
complete -c luna -n '__luna_at \'luna capture\'' -l active -d 'Request scan responses from advertisers'
complete -c luna -n '__luna_at \'luna capture\'' -l passive -d 'Only listen; transmit nothing'
complete -c luna -n '__luna_at \'luna capture\'' -l phy -x -a '(__luna_list 1m coded)' -d 'Primary PHYs to listen on: 1m, coded'
complete -c luna -n '__luna_at \'luna capture\'' -l speed -x -d 'Run protocol time N times faster; needs --epoch'
complete -c luna -n '__luna_at \'luna capture\'' -l epoch -x -d 'When protocol time equals real time (2026-01-02T03:04:05Z, or Unix seconds)'
complete -c luna -n '__luna_at \'luna capture\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna capture\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna capture\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna capture\'' -l config -r -F -d 'Read options from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna capture\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna decode\'' -l hci -d 'The inputs are whole HCI events'
complete -c luna -n '__luna_at \'luna decode\'' -l address -x -d 'The random address the data came from; some families keep part of their data there'
complete -c luna -n '__luna_at \'luna decode\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna decode\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna decode\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna decode\'' -l config -r -F -d 'Read options from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna decode\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna keys\'' -l master-key-file -r -F -d 'The master key, 64 hexadecimal digits; - is standard input'
complete -c luna -n '__luna_at \'luna keys\'' -l device -x -d 'Use the key of an onboarded device'
complete -c luna -n '__luna_at \'luna keys\'' -l at -x -d 'Start with the period at TIME'
complete -c luna -n '__luna_at \'luna keys\'' -l counter -x -d 'Start with period N'
complete -c luna -n '__luna_at \'luna keys\'' -l count -x -d 'How many periods'
complete -c luna -n '__luna_at \'luna keys\'' -l secrets -d 'Also print what is never sent (botp)'
complete -c luna -n '__luna_at \'luna keys\'' -l eddystone -d 'An Eddystone-EID identity key'
complete -c luna -n '__luna_at \'luna keys\'' -l exponent -x -d 'With --eddystone: a new identifier every 2^K s'
complete -c luna -n '__luna_at \'luna keys\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna keys\'' -l passphrase-file -r -F -d 'Read the passphrase for sealed keys from FILE; - is standard input'
complete -c luna -n '__luna_at \'luna keys\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna keys\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna keys\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna keys\'' -l config -r -F -d 'Read options from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna keys\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna report\' 0' -a seal -d 'Seal a location for the owner of a tracker that was heard.'
complete -c luna -n '__luna_at \'luna report\' 0' -a open -d 'Open a location report about one of your trackers.'
complete -c luna -n '__luna_at \'luna report\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna report\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna report\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna report\'' -l config -r -F -d 'Read options from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna report\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna report seal\'' -l eid -x -d 'The eid, 16 digits'
complete -c luna -n '__luna_at \'luna report seal\'' -l aotp -x -d 'The aotp, 14 digits'
complete -c luna -n '__luna_at \'luna report seal\'' -l esf -x -d 'The esf, 6 digits'
complete -c luna -n '__luna_at \'luna report seal\'' -l rssi -x -d 'How strong'
complete -c luna -n '__luna_at \'luna report seal\'' -l latitude -x -d 'Latitude'
complete -c luna -n '__luna_at \'luna report seal\'' -l longitude -x -d 'Longitude'
complete -c luna -n '__luna_at \'luna report seal\'' -l altitude -x -d 'Above the WGS84 ellipsoid'
complete -c luna -n '__luna_at \'luna report seal\'' -l horizontal-accuracy -x -d 'Of the position'
complete -c luna -n '__luna_at \'luna report seal\'' -l vertical-accuracy -x -d 'Of the altitude'
complete -c luna -n '__luna_at \'luna report seal\'' -l speed -x -d 'Speed'
complete -c luna -n '__luna_at \'luna report seal\'' -l course -x -d 'From north'
complete -c luna -n '__luna_at \'luna report seal\'' -l simulated -d 'The position is not a real one'
complete -c luna -n '__luna_at \'luna report seal\'' -l time -x -d 'When'
complete -c luna -n '__luna_at \'luna report seal\'' -l format -x -a 'table jsonl csv' -d 'table or jsonl'
complete -c luna -n '__luna_at \'luna report seal\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna report seal\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna report seal\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna report seal\'' -l config -r -F -d 'Read options from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna report seal\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna report open\'' -l master-key-file -r -F -d 'The master key, 64 hexadecimal digits; - is standard input'
complete -c luna -n '__luna_at \'luna report open\'' -l device -x -d 'Use the key of an onboarded device'
complete -c luna -n '__luna_at \'luna report open\'' -l heid -x -d 'The heid of the report, 32 digits'
complete -c luna -n '__luna_at \'luna report open\'' -l esf -x -d 'The esf of the report, 6 digits'
complete -c luna -n '__luna_at \'luna report open\'' -l counter -x -d 'Its period'
complete -c luna -n '__luna_at \'luna report open\'' -l at -x -d 'The period at a time, or one beside it'
complete -c luna -n '__luna_at \'luna report open\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna report open\'' -l passphrase-file -r -F -d 'Read the passphrase for sealed keys from FILE; - is standard input'
complete -c luna -n '__luna_at \'luna report open\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna report open\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna report open\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna report open\'' -l config -r -F -d 'Read options from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna report open\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna selftest\'' -l vectors -r -F -d 'Check against FILE instead of the built-in vectors'
complete -c luna -n '__luna_at \'luna selftest\'' -l answer -r -F -d 'Print what this build computes for the cases of FILE, as one JSON object'
complete -c luna -n '__luna_at \'luna selftest\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna selftest\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna selftest\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna selftest\'' -l config -r -F -d 'Read options from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna selftest\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna completions\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna completions\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna completions\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna completions\'' -l config -r -F -d 'Read options from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna completions\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna completions\' 0' -a 'bash zsh fish'
