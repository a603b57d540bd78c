# bash completion for luna

# Sets kind and words for the value of option (or argument) $2 of command $1; kind stays empty
# where there is no value.
_luna_value() {
  kind="" words=""
  case "$1 $2" in
    "luna --color"|\
    "luna scan --color"|\
    "luna local --color"|\
    "luna watch --color"|\
    "luna watch list --color"|\
    "luna watch show --color"|\
    "luna watch mark --color"|\
    "luna onboard --color"|\
    "luna buzz --color"|\
    "luna identify --color"|\
    "luna owner --color"|\
    "luna owner list --color"|\
    "luna owner show --color"|\
    "luna owner events --color"|\
    "luna owner buzz --color"|\
    "luna owner commands --color"|\
    "luna owner packages --color"|\
    "luna owner rename --color"|\
    "luna owner forget --color"|\
    "luna owner export --color"|\
    "luna owner import --color"|\
    "luna owner ping --color"|\
    "luna owner set-clock --color"|\
    "luna owner here --color"|\
    "luna owner blink --color"|\
    "luna owner reset --color"|\
    "luna owner seal --color"|\
    "luna owner unseal --color"|\
    "luna finder --color"|\
    "luna finder enroll --color"|\
    "luna finder label --color"|\
    "luna finder status --color"|\
    "luna backend --color"|\
    "luna backend token --color"|\
    "luna backend token create --color"|\
    "luna backend token list --color"|\
    "luna backend token revoke --color"|\
    "luna backend enroll --color"|\
    "luna backend migrate --color"|\
    "luna backend backup --color"|\
    "luna backend check-config --color"|\
    "luna backend settings --color"|\
    "luna fleet --color"|\
    "luna fleet list --color"|\
    "luna fleet show --color"|\
    "luna fleet add --color"|\
    "luna fleet edit --color"|\
    "luna fleet remove --color"|\
    "luna fleet undo --color"|\
    "luna fleet enroll --color"|\
    "luna fleet label --color"|\
    "luna fleet devices --color"|\
    "luna fleet history --color"|\
    "luna fleet export --color"|\
    "luna fleet import --color"|\
    "luna account --color"|\
    "luna account list --color"|\
    "luna account add --color"|\
    "luna account edit --color"|\
    "luna account remove --color"|\
    "luna account link --color"|\
    "luna account sessions --color"|\
    "luna account approve --color"|\
    "luna login --color"|\
    "luna logout --color"|\
    "luna whoami --color"|\
    "luna token --color"|\
    "luna token show --color"|\
    "luna token refresh --color"|\
    "luna telemetry --color"|\
    "luna telemetry status --color"|\
    "luna telemetry flush --color"|\
    "luna telemetry log --color"|\
    "luna telemetry time --color"|\
    "luna telemetry clear --color"|\
    "luna home --color"|\
    "luna home run --color"|\
    "luna home init --color"|\
    "luna home check --color"|\
    "luna home show --color"|\
    "luna home schema --color"|\
    "luna home migrate --color"|\
    "luna home do --color"|\
    "luna home link --color"|\
    "luna home account --color"|\
    "luna home account list --color"|\
    "luna home account add --color"|\
    "luna home account invite --color"|\
    "luna home account edit --color"|\
    "luna home account reset --color"|\
    "luna home account remove --color"|\
    "luna home account token --color"|\
    "luna home account token add --color"|\
    "luna home account token list --color"|\
    "luna home account token revoke --color"|\
    "luna home export --color"|\
    "luna rule --color"|\
    "luna rule list --color"|\
    "luna rule test --color"|\
    "luna rule why --color"|\
    "luna rule snooze --color"|\
    "luna rule run --color"|\
    "luna notify --color"|\
    "luna notify test --color"|\
    "luna notify list --color"|\
    "luna notify retry --color"|\
    "luna contact --color"|\
    "luna contact card --color"|\
    "luna contact add --color"|\
    "luna contact list --color"|\
    "luna contact verify --color"|\
    "luna contact remove --color"|\
    "luna share --color"|\
    "luna share add --color"|\
    "luna share list --color"|\
    "luna share show --color"|\
    "luna share renew --color"|\
    "luna share end --color"|\
    "luna share import --color"|\
    "luna share inspect --color"|\
    "luna tracker --color"|\
    "luna tracker create --color"|\
    "luna tracker run --color"|\
    "luna tracker list --color"|\
    "luna tracker export --color"|\
    "luna tracker label --color"|\
    "luna tracker reset --color"|\
    "luna demo --color"|\
    "luna doctor --color"|\
    "luna setup --color"|\
    "luna setup gateway --color"|\
    "luna config --color"|\
    "luna config show --color"|\
    "luna config check --color"|\
    "luna adapters --color"|\
    "luna capture --color"|\
    "luna decode --color"|\
    "luna keys --color"|\
    "luna report --color"|\
    "luna report seal --color"|\
    "luna report open --color"|\
    "luna uplink --color"|\
    "luna uplink consent --color"|\
    "luna uplink profiles --color"|\
    "luna uplink record --color"|\
    "luna uplink check --color"|\
    "luna uplink locate --color"|\
    "luna uplink dpi --color"|\
    "luna uplink serve --color"|\
    "luna uplink settings --color"|\
    "luna uplink results --color"|\
    "luna uplink results judge --color"|\
    "luna uplink results import --color"|\
    "luna selftest --color"|\
    "luna completions --color") kind=words words="auto always never" ;;
    "luna --config"|\
    "luna scan -r"|\
    "luna scan --read"|\
    "luna scan -w"|\
    "luna scan --write"|\
    "luna scan --config"|\
    "luna local --passphrase-file"|\
    "luna local -r"|\
    "luna local --read"|\
    "luna local -w"|\
    "luna local --write"|\
    "luna local --mqtt-password-file"|\
    "luna local --mqtt-ca-file"|\
    "luna local --mqtt-certificate"|\
    "luna local --mqtt-key"|\
    "luna local --webhook-token-file"|\
    "luna local --webhook-ca-file"|\
    "luna local --config"|\
    "luna watch --track"|\
    "luna watch --passphrase-file"|\
    "luna watch -r"|\
    "luna watch --read"|\
    "luna watch -w"|\
    "luna watch --write"|\
    "luna watch --config"|\
    "luna watch list --config"|\
    "luna watch show --config"|\
    "luna watch mark --config"|\
    "luna onboard --code-file"|\
    "luna onboard --qr"|\
    "luna onboard --passphrase-file"|\
    "luna onboard --config"|\
    "luna buzz --package"|\
    "luna buzz --passphrase-file"|\
    "luna buzz --config"|\
    "luna identify --passphrase-file"|\
    "luna identify --config"|\
    "luna owner --config"|\
    "luna owner list --token-file"|\
    "luna owner list --ca-file"|\
    "luna owner list --passphrase-file"|\
    "luna owner list --config"|\
    "luna owner show --passphrase-file"|\
    "luna owner show --config"|\
    "luna owner events --token-file"|\
    "luna owner events --ca-file"|\
    "luna owner events --passphrase-file"|\
    "luna owner events --config"|\
    "luna owner buzz --token-file"|\
    "luna owner buzz --ca-file"|\
    "luna owner buzz --passphrase-file"|\
    "luna owner buzz --config"|\
    "luna owner commands --token-file"|\
    "luna owner commands --ca-file"|\
    "luna owner commands --passphrase-file"|\
    "luna owner commands --config"|\
    "luna owner packages --passphrase-file"|\
    "luna owner packages --config"|\
    "luna owner rename --passphrase-file"|\
    "luna owner rename --config"|\
    "luna owner forget --passphrase-file"|\
    "luna owner forget --config"|\
    "luna owner export --passphrase-file"|\
    "luna owner export --config"|\
    "luna owner export @0"|\
    "luna owner import --alignment"|\
    "luna owner import --passphrase-file"|\
    "luna owner import --config"|\
    "luna owner import @0"|\
    "luna owner ping --passphrase-file"|\
    "luna owner ping --config"|\
    "luna owner set-clock --passphrase-file"|\
    "luna owner set-clock --config"|\
    "luna owner here --passphrase-file"|\
    "luna owner here --config"|\
    "luna owner blink --passphrase-file"|\
    "luna owner blink --config"|\
    "luna owner reset --passphrase-file"|\
    "luna owner reset --config"|\
    "luna owner seal --new-passphrase-file"|\
    "luna owner seal --passphrase-file"|\
    "luna owner seal --config"|\
    "luna owner unseal --passphrase-file"|\
    "luna owner unseal --config"|\
    "luna finder --token-file"|\
    "luna finder --ca-file"|\
    "luna finder -r"|\
    "luna finder --read"|\
    "luna finder --mqtt-password-file"|\
    "luna finder --mqtt-ca-file"|\
    "luna finder --mqtt-certificate"|\
    "luna finder --mqtt-key"|\
    "luna finder --webhook-token-file"|\
    "luna finder --webhook-ca-file"|\
    "luna finder --config"|\
    "luna finder enroll --code-file"|\
    "luna finder enroll --token-file"|\
    "luna finder enroll --ca-file"|\
    "luna finder enroll --config"|\
    "luna finder label -o"|\
    "luna finder label --output"|\
    "luna finder label --config"|\
    "luna finder status --config"|\
    "luna backend --tls-cert"|\
    "luna backend --tls-key"|\
    "luna backend --introspection-secret-file"|\
    "luna backend --oidc-secret-file"|\
    "luna backend --config"|\
    "luna backend token --config"|\
    "luna backend token create --out"|\
    "luna backend token create --config"|\
    "luna backend token list --config"|\
    "luna backend token revoke --config"|\
    "luna backend enroll --config"|\
    "luna backend migrate --config"|\
    "luna backend backup --config"|\
    "luna backend backup @0"|\
    "luna backend check-config --tls-cert"|\
    "luna backend check-config --tls-key"|\
    "luna backend check-config --introspection-secret-file"|\
    "luna backend check-config --oidc-secret-file"|\
    "luna backend check-config --config"|\
    "luna backend settings --config"|\
    "luna fleet --config"|\
    "luna fleet list --token-file"|\
    "luna fleet list --ca-file"|\
    "luna fleet list --config"|\
    "luna fleet show --token-file"|\
    "luna fleet show --ca-file"|\
    "luna fleet show --config"|\
    "luna fleet add --token-file"|\
    "luna fleet add --ca-file"|\
    "luna fleet add --config"|\
    "luna fleet edit --token-file"|\
    "luna fleet edit --ca-file"|\
    "luna fleet edit --config"|\
    "luna fleet remove --token-file"|\
    "luna fleet remove --ca-file"|\
    "luna fleet remove --config"|\
    "luna fleet undo --token-file"|\
    "luna fleet undo --ca-file"|\
    "luna fleet undo --config"|\
    "luna fleet enroll --qr"|\
    "luna fleet enroll --token-file"|\
    "luna fleet enroll --ca-file"|\
    "luna fleet enroll --config"|\
    "luna fleet label -o"|\
    "luna fleet label --output"|\
    "luna fleet label --token-file"|\
    "luna fleet label --ca-file"|\
    "luna fleet label --config"|\
    "luna fleet devices --token-file"|\
    "luna fleet devices --ca-file"|\
    "luna fleet devices --config"|\
    "luna fleet history --token-file"|\
    "luna fleet history --ca-file"|\
    "luna fleet history --config"|\
    "luna fleet export --token-file"|\
    "luna fleet export --ca-file"|\
    "luna fleet export --config"|\
    "luna fleet import --token-file"|\
    "luna fleet import --ca-file"|\
    "luna fleet import --config"|\
    "luna fleet import @0"|\
    "luna account --config"|\
    "luna account list --config"|\
    "luna account add --config"|\
    "luna account edit --config"|\
    "luna account remove --config"|\
    "luna account link --config"|\
    "luna account sessions --config"|\
    "luna account approve --config"|\
    "luna login --ca-file"|\
    "luna login --config"|\
    "luna logout --ca-file"|\
    "luna logout --config"|\
    "luna whoami --ca-file"|\
    "luna whoami --config"|\
    "luna token --config"|\
    "luna token show --ca-file"|\
    "luna token show --config"|\
    "luna token refresh --ca-file"|\
    "luna token refresh --config"|\
    "luna telemetry --config"|\
    "luna telemetry status --config"|\
    "luna telemetry flush --token-file"|\
    "luna telemetry flush --ca-file"|\
    "luna telemetry flush --config"|\
    "luna telemetry log --config"|\
    "luna telemetry time --config"|\
    "luna telemetry clear --config"|\
    "luna home --config"|\
    "luna home run --passphrase-file"|\
    "luna home run --config"|\
    "luna home run @0"|\
    "luna home init --passphrase-file"|\
    "luna home init --config"|\
    "luna home init @0"|\
    "luna home check --config"|\
    "luna home check @0"|\
    "luna home show --config"|\
    "luna home show @0"|\
    "luna home schema --config"|\
    "luna home migrate --config"|\
    "luna home migrate @0"|\
    "luna home do --config"|\
    "luna home link --config"|\
    "luna home account --config"|\
    "luna home account list --config"|\
    "luna home account add --config"|\
    "luna home account invite --config"|\
    "luna home account edit --config"|\
    "luna home account reset --config"|\
    "luna home account remove --config"|\
    "luna home account token --config"|\
    "luna home account token add --config"|\
    "luna home account token list --config"|\
    "luna home account token revoke --config"|\
    "luna home export -o"|\
    "luna home export --output"|\
    "luna home export --config"|\
    "luna rule --config"|\
    "luna rule list --file"|\
    "luna rule list --config"|\
    "luna rule test --replay"|\
    "luna rule test --file"|\
    "luna rule test --passphrase-file"|\
    "luna rule test --config"|\
    "luna rule why --config"|\
    "luna rule snooze --config"|\
    "luna rule run --config"|\
    "luna notify --config"|\
    "luna notify test --file"|\
    "luna notify test --config"|\
    "luna notify list --config"|\
    "luna notify retry --config"|\
    "luna contact --config"|\
    "luna contact card -o"|\
    "luna contact card --output"|\
    "luna contact card --passphrase-file"|\
    "luna contact card --config"|\
    "luna contact add --passphrase-file"|\
    "luna contact add --config"|\
    "luna contact list --passphrase-file"|\
    "luna contact list --config"|\
    "luna contact verify --passphrase-file"|\
    "luna contact verify --config"|\
    "luna contact remove --passphrase-file"|\
    "luna contact remove --config"|\
    "luna share --config"|\
    "luna share add -o"|\
    "luna share add --output"|\
    "luna share add --passphrase-file"|\
    "luna share add --config"|\
    "luna share list --passphrase-file"|\
    "luna share list --config"|\
    "luna share show --passphrase-file"|\
    "luna share show --config"|\
    "luna share renew -o"|\
    "luna share renew --output"|\
    "luna share renew --passphrase-file"|\
    "luna share renew --config"|\
    "luna share end -o"|\
    "luna share end --output"|\
    "luna share end --passphrase-file"|\
    "luna share end --config"|\
    "luna share import --passphrase-file"|\
    "luna share import --config"|\
    "luna share import @0"|\
    "luna share inspect --passphrase-file"|\
    "luna share inspect --config"|\
    "luna share inspect @0"|\
    "luna tracker --config"|\
    "luna tracker create --code-file"|\
    "luna tracker create --config"|\
    "luna tracker run --config"|\
    "luna tracker list --config"|\
    "luna tracker export --config"|\
    "luna tracker export @"*|\
    "luna tracker label -o"|\
    "luna tracker label --output"|\
    "luna tracker label --code-file"|\
    "luna tracker label --config"|\
    "luna tracker reset --config"|\
    "luna demo --picture"|\
    "luna demo --config"|\
    "luna doctor --token-file"|\
    "luna doctor --ca-file"|\
    "luna doctor --config"|\
    "luna setup --config"|\
    "luna setup gateway --code-file"|\
    "luna setup gateway --token-file"|\
    "luna setup gateway --ca-file"|\
    "luna setup gateway --config"|\
    "luna config --config"|\
    "luna config show --config"|\
    "luna config check --config"|\
    "luna adapters --config"|\
    "luna capture -r"|\
    "luna capture --read"|\
    "luna capture -w"|\
    "luna capture --write"|\
    "luna capture --config"|\
    "luna decode --config"|\
    "luna keys --master-key-file"|\
    "luna keys --passphrase-file"|\
    "luna keys --config"|\
    "luna report --config"|\
    "luna report seal --config"|\
    "luna report open --master-key-file"|\
    "luna report open --passphrase-file"|\
    "luna report open --config"|\
    "luna uplink --config"|\
    "luna uplink consent --config"|\
    "luna uplink profiles --config"|\
    "luna uplink profiles @0"|\
    "luna uplink record --token-file"|\
    "luna uplink record --ca-file"|\
    "luna uplink record --config"|\
    "luna uplink check --token-file"|\
    "luna uplink check --ca-file"|\
    "luna uplink check --config"|\
    "luna uplink check @"*|\
    "luna uplink locate --token-file"|\
    "luna uplink locate --ca-file"|\
    "luna uplink locate --config"|\
    "luna uplink locate @0"|\
    "luna uplink dpi --token-file"|\
    "luna uplink dpi --ca-file"|\
    "luna uplink dpi --config"|\
    "luna uplink dpi @0"|\
    "luna uplink serve --tls-cert"|\
    "luna uplink serve --tls-key"|\
    "luna uplink serve --token-file"|\
    "luna uplink serve --variations"|\
    "luna uplink serve --ca-file"|\
    "luna uplink serve --config"|\
    "luna uplink settings --config"|\
    "luna uplink results --config"|\
    "luna uplink results judge --single"|\
    "luna uplink results judge --variations"|\
    "luna uplink results judge --config"|\
    "luna uplink results judge @0"|\
    "luna uplink results judge @1"|\
    "luna uplink results import --config"|\
    "luna uplink results import @0"|\
    "luna selftest --vectors"|\
    "luna selftest --answer"|\
    "luna selftest --config"|\
    "luna completions --config") kind=file ;;
    "luna scan --filter"|\
    "luna scan --min-rssi"|\
    "luna scan --fields"|\
    "luna scan --list-values"|\
    "luna scan -i"|\
    "luna scan --adapter"|\
    "luna scan -T"|\
    "luna scan --duration"|\
    "luna scan -c"|\
    "luna scan --count"|\
    "luna scan --metrics"|\
    "luna scan --speed"|\
    "luna scan --epoch"|\
    "luna local --timeout"|\
    "luna local -i"|\
    "luna local --adapter"|\
    "luna local -T"|\
    "luna local --duration"|\
    "luna local -c"|\
    "luna local --count"|\
    "luna local --mqtt"|\
    "luna local --mqtt-discovery"|\
    "luna local --exec"|\
    "luna local --webhook"|\
    "luna local --allow"|\
    "luna local --deny"|\
    "luna local --metrics"|\
    "luna local --speed"|\
    "luna local --epoch"|\
    "luna local @"*|\
    "luna watch -i"|\
    "luna watch --adapter"|\
    "luna watch -T"|\
    "luna watch --duration"|\
    "luna watch -c"|\
    "luna watch --count"|\
    "luna watch --speed"|\
    "luna watch --epoch"|\
    "luna watch show @0"|\
    "luna watch mark @0"|\
    "luna onboard --name"|\
    "luna onboard --code"|\
    "luna onboard --wait"|\
    "luna onboard -T"|\
    "luna onboard --duration"|\
    "luna onboard -i"|\
    "luna onboard --adapter"|\
    "luna onboard --speed"|\
    "luna onboard --epoch"|\
    "luna onboard @0"|\
    "luna buzz --seconds"|\
    "luna buzz -i"|\
    "luna buzz --adapter"|\
    "luna buzz -T"|\
    "luna buzz --duration"|\
    "luna buzz --speed"|\
    "luna buzz --epoch"|\
    "luna buzz @0"|\
    "luna identify --wait"|\
    "luna identify -i"|\
    "luna identify --adapter"|\
    "luna identify -T"|\
    "luna identify --duration"|\
    "luna identify --speed"|\
    "luna identify --epoch"|\
    "luna identify @0"|\
    "luna owner list --backend"|\
    "luna owner list --proxy"|\
    "luna owner list --sign-in"|\
    "luna owner show @0"|\
    "luna owner events --from"|\
    "luna owner events --to"|\
    "luna owner events --backend"|\
    "luna owner events --proxy"|\
    "luna owner events --sign-in"|\
    "luna owner events @0"|\
    "luna owner buzz --hours"|\
    "luna owner buzz --seconds"|\
    "luna owner buzz --wait"|\
    "luna owner buzz --backend"|\
    "luna owner buzz --proxy"|\
    "luna owner buzz --sign-in"|\
    "luna owner buzz @0"|\
    "luna owner commands --backend"|\
    "luna owner commands --proxy"|\
    "luna owner commands --sign-in"|\
    "luna owner commands @0"|\
    "luna owner packages --hours"|\
    "luna owner packages --seconds"|\
    "luna owner packages --at"|\
    "luna owner packages @0"|\
    "luna owner rename @0"|\
    "luna owner rename @1"|\
    "luna owner forget @0"|\
    "luna owner ping -i"|\
    "luna owner ping --adapter"|\
    "luna owner ping -T"|\
    "luna owner ping --duration"|\
    "luna owner ping --speed"|\
    "luna owner ping --epoch"|\
    "luna owner ping @0"|\
    "luna owner set-clock -i"|\
    "luna owner set-clock --adapter"|\
    "luna owner set-clock -T"|\
    "luna owner set-clock --duration"|\
    "luna owner set-clock --speed"|\
    "luna owner set-clock --epoch"|\
    "luna owner set-clock @0"|\
    "luna owner here -i"|\
    "luna owner here --adapter"|\
    "luna owner here -T"|\
    "luna owner here --duration"|\
    "luna owner here --speed"|\
    "luna owner here --epoch"|\
    "luna owner here @0"|\
    "luna owner blink --seconds"|\
    "luna owner blink -i"|\
    "luna owner blink --adapter"|\
    "luna owner blink -T"|\
    "luna owner blink --duration"|\
    "luna owner blink --speed"|\
    "luna owner blink --epoch"|\
    "luna owner blink @0"|\
    "luna owner reset -i"|\
    "luna owner reset --adapter"|\
    "luna owner reset -T"|\
    "luna owner reset --duration"|\
    "luna owner reset --speed"|\
    "luna owner reset --epoch"|\
    "luna owner reset @0"|\
    "luna finder --backend"|\
    "luna finder --proxy"|\
    "luna finder --sign-in"|\
    "luna finder --account-on-change"|\
    "luna finder --telemetry-root"|\
    "luna finder --batch"|\
    "luna finder --batch-time"|\
    "luna finder --interval"|\
    "luna finder --queue-limit"|\
    "luna finder --distance"|\
    "luna finder --accuracy"|\
    "luna finder -i"|\
    "luna finder --adapter"|\
    "luna finder -T"|\
    "luna finder --duration"|\
    "luna finder --mqtt"|\
    "luna finder --mqtt-discovery"|\
    "luna finder --exec"|\
    "luna finder --webhook"|\
    "luna finder --metrics"|\
    "luna finder --speed"|\
    "luna finder --epoch"|\
    "luna finder enroll --backend"|\
    "luna finder enroll --proxy"|\
    "luna finder label --name"|\
    "luna finder label --site"|\
    "luna finder label --manufacturer"|\
    "luna finder label --model"|\
    "luna finder label --at"|\
    "luna backend --listen"|\
    "luna backend --retention"|\
    "luna backend --connections"|\
    "luna backend --connections-per-address"|\
    "luna backend --requests"|\
    "luna backend --body-memory"|\
    "luna backend --threads"|\
    "luna backend --events-per-second"|\
    "luna backend --requests-per-second"|\
    "luna backend --events-per-identifier"|\
    "luna backend --open-commands"|\
    "luna backend --of"|\
    "luna backend --public-url"|\
    "luna backend --tiles"|\
    "luna backend --trust-proxy"|\
    "luna backend --uplink-pair"|\
    "luna backend --issuer"|\
    "luna backend --audience"|\
    "luna backend --clients"|\
    "luna backend --audience-is-scope"|\
    "luna backend --id-token-clients"|\
    "luna backend --introspection"|\
    "luna backend --introspection-client"|\
    "luna backend --oidc-client"|\
    "luna backend --oidc-name"|\
    "luna backend --oidc-scope"|\
    "luna backend --oidc-role"|\
    "luna backend --store"|\
    "luna backend --store-connections"|\
    "luna backend --store-queue"|\
    "luna backend token create --store"|\
    "luna backend token create @1"|\
    "luna backend token list --store"|\
    "luna backend token revoke --store"|\
    "luna backend token revoke @0"|\
    "luna backend enroll --valid"|\
    "luna backend enroll --store"|\
    "luna backend enroll @0"|\
    "luna backend migrate --store"|\
    "luna backend backup --store"|\
    "luna backend check-config --listen"|\
    "luna backend check-config --retention"|\
    "luna backend check-config --connections"|\
    "luna backend check-config --connections-per-address"|\
    "luna backend check-config --requests"|\
    "luna backend check-config --body-memory"|\
    "luna backend check-config --threads"|\
    "luna backend check-config --events-per-second"|\
    "luna backend check-config --requests-per-second"|\
    "luna backend check-config --events-per-identifier"|\
    "luna backend check-config --open-commands"|\
    "luna backend check-config --of"|\
    "luna backend check-config --public-url"|\
    "luna backend check-config --tiles"|\
    "luna backend check-config --trust-proxy"|\
    "luna backend check-config --uplink-pair"|\
    "luna backend check-config --issuer"|\
    "luna backend check-config --audience"|\
    "luna backend check-config --clients"|\
    "luna backend check-config --audience-is-scope"|\
    "luna backend check-config --id-token-clients"|\
    "luna backend check-config --introspection"|\
    "luna backend check-config --introspection-client"|\
    "luna backend check-config --oidc-client"|\
    "luna backend check-config --oidc-name"|\
    "luna backend check-config --oidc-scope"|\
    "luna backend check-config --oidc-role"|\
    "luna backend check-config --store"|\
    "luna backend check-config --store-connections"|\
    "luna backend check-config --store-queue"|\
    "luna backend settings --store"|\
    "luna backend settings @"*|\
    "luna fleet list --search"|\
    "luna fleet list --sort"|\
    "luna fleet list --backend"|\
    "luna fleet list --proxy"|\
    "luna fleet list --sign-in"|\
    "luna fleet show --backend"|\
    "luna fleet show --proxy"|\
    "luna fleet show --sign-in"|\
    "luna fleet show @0"|\
    "luna fleet add --at"|\
    "luna fleet add --place"|\
    "luna fleet add --site"|\
    "luna fleet add --tag"|\
    "luna fleet add --manufacturer"|\
    "luna fleet add --note"|\
    "luna fleet add --backend"|\
    "luna fleet add --proxy"|\
    "luna fleet add --sign-in"|\
    "luna fleet add @0"|\
    "luna fleet edit --name"|\
    "luna fleet edit --at"|\
    "luna fleet edit --place"|\
    "luna fleet edit --site"|\
    "luna fleet edit --tag"|\
    "luna fleet edit --manufacturer"|\
    "luna fleet edit --note"|\
    "luna fleet edit --untag"|\
    "luna fleet edit --picture"|\
    "luna fleet edit --backend"|\
    "luna fleet edit --proxy"|\
    "luna fleet edit --sign-in"|\
    "luna fleet edit @0"|\
    "luna fleet remove --backend"|\
    "luna fleet remove --proxy"|\
    "luna fleet remove --sign-in"|\
    "luna fleet remove @0"|\
    "luna fleet undo --backend"|\
    "luna fleet undo --proxy"|\
    "luna fleet undo --sign-in"|\
    "luna fleet undo @0"|\
    "luna fleet enroll --record"|\
    "luna fleet enroll --name"|\
    "luna fleet enroll --at"|\
    "luna fleet enroll --backend"|\
    "luna fleet enroll --proxy"|\
    "luna fleet enroll --sign-in"|\
    "luna fleet enroll @0"|\
    "luna fleet label --backend"|\
    "luna fleet label --proxy"|\
    "luna fleet label --sign-in"|\
    "luna fleet label @0"|\
    "luna fleet devices --approve"|\
    "luna fleet devices --forget"|\
    "luna fleet devices --edit"|\
    "luna fleet devices --name"|\
    "luna fleet devices --priority"|\
    "luna fleet devices --place"|\
    "luna fleet devices --manufacturer"|\
    "luna fleet devices --picture"|\
    "luna fleet devices --backend"|\
    "luna fleet devices --proxy"|\
    "luna fleet devices --sign-in"|\
    "luna fleet devices @0"|\
    "luna fleet history --backend"|\
    "luna fleet history --proxy"|\
    "luna fleet history --sign-in"|\
    "luna fleet history @0"|\
    "luna fleet export --search"|\
    "luna fleet export --backend"|\
    "luna fleet export --proxy"|\
    "luna fleet export --sign-in"|\
    "luna fleet import --backend"|\
    "luna fleet import --proxy"|\
    "luna fleet import --sign-in"|\
    "luna account list --store"|\
    "luna account add --public-url"|\
    "luna account add --store"|\
    "luna account add @0"|\
    "luna account edit --public-url"|\
    "luna account edit --store"|\
    "luna account edit @0"|\
    "luna account remove --store"|\
    "luna account remove @0"|\
    "luna account link --issuer"|\
    "luna account link --subject"|\
    "luna account link --store"|\
    "luna account link @0"|\
    "luna account sessions --store"|\
    "luna account sessions @0"|\
    "luna account approve --account"|\
    "luna account approve --key"|\
    "luna account approve --store"|\
    "luna account approve @0"|\
    "luna login --backend"|\
    "luna login --issuer"|\
    "luna login --client-id"|\
    "luna login --device-endpoint"|\
    "luna login --scope"|\
    "luna login --redirect-port"|\
    "luna login --profile"|\
    "luna login --proxy"|\
    "luna logout --profile"|\
    "luna logout --proxy"|\
    "luna whoami --backend"|\
    "luna whoami --profile"|\
    "luna whoami --proxy"|\
    "luna token show --profile"|\
    "luna token show --proxy"|\
    "luna token refresh --profile"|\
    "luna token refresh --proxy"|\
    "luna telemetry flush --backend"|\
    "luna telemetry flush --proxy"|\
    "luna telemetry flush --sign-in"|\
    "luna telemetry flush --telemetry-root"|\
    "luna telemetry log --telemetry-root"|\
    "luna telemetry log @0"|\
    "luna telemetry log @1"|\
    "luna telemetry time --telemetry-root"|\
    "luna telemetry time @0"|\
    "luna telemetry time @"*|\
    "luna home run --speed"|\
    "luna home run --epoch"|\
    "luna home do @0"|\
    "luna home do @1"|\
    "luna home do @2"|\
    "luna home account add @0"|\
    "luna home account invite --trackers"|\
    "luna home account invite --see"|\
    "luna home account invite --until"|\
    "luna home account invite @0"|\
    "luna home account edit --trackers"|\
    "luna home account edit --see"|\
    "luna home account edit --until"|\
    "luna home account edit @0"|\
    "luna home account reset @0"|\
    "luna home account remove @0"|\
    "luna home account token add @0"|\
    "luna home account token revoke @0"|\
    "luna home export --day"|\
    "luna rule list --count"|\
    "luna rule test --who"|\
    "luna rule test --from"|\
    "luna rule test --to"|\
    "luna rule test --expect"|\
    "luna rule test @0"|\
    "luna rule why --at"|\
    "luna rule why --count"|\
    "luna rule why @0"|\
    "luna rule snooze --for"|\
    "luna rule snooze @0"|\
    "luna rule run @0"|\
    "luna notify test @0"|\
    "luna notify retry @0"|\
    "luna contact card --name"|\
    "luna contact add --email"|\
    "luna contact add --card"|\
    "luna contact add @0"|\
    "luna contact verify @0"|\
    "luna contact remove @0"|\
    "luna share add --with"|\
    "luna share add --days"|\
    "luna share add --until"|\
    "luna share add --past"|\
    "luna share add --rights"|\
    "luna share add --ring-seconds"|\
    "luna share add --backend"|\
    "luna share add @0"|\
    "luna share add @1"|\
    "luna share show @0"|\
    "luna share renew --days"|\
    "luna share renew --backend"|\
    "luna share renew @0"|\
    "luna share end @0"|\
    "luna share import --backend"|\
    "luna share inspect --backend"|\
    "luna tracker create --speed"|\
    "luna tracker create --epoch"|\
    "luna tracker create @0"|\
    "luna tracker run -i"|\
    "luna tracker run --adapter"|\
    "luna tracker run -T"|\
    "luna tracker run --duration"|\
    "luna tracker run --drift"|\
    "luna tracker run --exec"|\
    "luna tracker run --exec-on"|\
    "luna tracker run --speed"|\
    "luna tracker run --epoch"|\
    "luna tracker run @"*|\
    "luna tracker label @0"|\
    "luna tracker reset @"*|\
    "luna demo --speed"|\
    "luna doctor -i"|\
    "luna doctor --adapter"|\
    "luna doctor -T"|\
    "luna doctor --duration"|\
    "luna doctor --backend"|\
    "luna doctor --proxy"|\
    "luna setup gateway -i"|\
    "luna setup gateway --adapter"|\
    "luna setup gateway --backend"|\
    "luna setup gateway --proxy"|\
    "luna config show @"*|\
    "luna capture --rotate"|\
    "luna capture --keep"|\
    "luna capture -i"|\
    "luna capture --adapter"|\
    "luna capture -T"|\
    "luna capture --duration"|\
    "luna capture -c"|\
    "luna capture --count"|\
    "luna capture --speed"|\
    "luna capture --epoch"|\
    "luna decode --address"|\
    "luna decode @"*|\
    "luna keys --device"|\
    "luna keys --at"|\
    "luna keys --counter"|\
    "luna keys --count"|\
    "luna keys --exponent"|\
    "luna report seal --eid"|\
    "luna report seal --aotp"|\
    "luna report seal --esf"|\
    "luna report seal --rssi"|\
    "luna report seal --latitude"|\
    "luna report seal --longitude"|\
    "luna report seal --altitude"|\
    "luna report seal --horizontal-accuracy"|\
    "luna report seal --vertical-accuracy"|\
    "luna report seal --speed"|\
    "luna report seal --course"|\
    "luna report seal --time"|\
    "luna report open --device"|\
    "luna report open --heid"|\
    "luna report open --esf"|\
    "luna report open --counter"|\
    "luna report open --at"|\
    "luna report open @0"|\
    "luna uplink record --to"|\
    "luna uplink record --uploads"|\
    "luna uplink record --backend"|\
    "luna uplink record --proxy"|\
    "luna uplink record @0"|\
    "luna uplink check --area"|\
    "luna uplink check --p-value"|\
    "luna uplink check --ratio"|\
    "luna uplink check --user-id"|\
    "luna uplink check --history-count"|\
    "luna uplink check --extra-string"|\
    "luna uplink check --profiles"|\
    "luna uplink check --control-name"|\
    "luna uplink check --pairs"|\
    "luna uplink check --slowdown"|\
    "luna uplink check --power"|\
    "luna uplink check --backend"|\
    "luna uplink check --ports"|\
    "luna uplink check --locate-url"|\
    "luna uplink check --site"|\
    "luna uplink check --budget"|\
    "luna uplink check --budget-metered"|\
    "luna uplink check --monthly"|\
    "luna uplink check --monthly-metered"|\
    "luna uplink locate --pair"|\
    "luna uplink locate --control-name"|\
    "luna uplink locate --mwu-p-value"|\
    "luna uplink locate --correlation-p-value"|\
    "luna uplink locate --correlation-share"|\
    "luna uplink locate --area"|\
    "luna uplink locate --p-value"|\
    "luna uplink locate --ratio"|\
    "luna uplink locate --user-id"|\
    "luna uplink locate --history-count"|\
    "luna uplink locate --extra-string"|\
    "luna uplink locate --backend"|\
    "luna uplink locate --ports"|\
    "luna uplink locate --locate-url"|\
    "luna uplink locate --site"|\
    "luna uplink locate --budget"|\
    "luna uplink locate --budget-metered"|\
    "luna uplink locate --monthly"|\
    "luna uplink locate --monthly-metered"|\
    "luna uplink dpi --control-name"|\
    "luna uplink dpi --other-port"|\
    "luna uplink dpi --user-id"|\
    "luna uplink dpi --history-count"|\
    "luna uplink dpi --extra-string"|\
    "luna uplink dpi --backend"|\
    "luna uplink dpi --ports"|\
    "luna uplink dpi --locate-url"|\
    "luna uplink dpi --site"|\
    "luna uplink dpi --budget"|\
    "luna uplink dpi --budget-metered"|\
    "luna uplink dpi --monthly"|\
    "luna uplink dpi --monthly-metered"|\
    "luna uplink serve --listen"|\
    "luna uplink serve --ports"|\
    "luna uplink serve --pair"|\
    "luna uplink serve --sessions"|\
    "luna uplink serve --waiting"|\
    "luna uplink serve --session-data"|\
    "luna uplink serve --daily-data"|\
    "luna uplink serve --rate"|\
    "luna uplink settings @0"|\
    "luna uplink settings @1"|\
    "luna uplink results @0") kind=text ;;
    "luna scan --by") kind=words words="address family company" ;;
    "luna scan --format"|\
    "luna watch list --format"|\
    "luna owner list --format"|\
    "luna owner show --format"|\
    "luna owner commands --format"|\
    "luna owner rename --format"|\
    "luna owner forget --format"|\
    "luna owner import --format"|\
    "luna backend token create --format"|\
    "luna backend token list --format"|\
    "luna backend enroll --format"|\
    "luna backend settings --format"|\
    "luna fleet list --format"|\
    "luna fleet devices --format"|\
    "luna fleet history --format"|\
    "luna account list --format"|\
    "luna account add --format"|\
    "luna account edit --format"|\
    "luna account sessions --format"|\
    "luna account approve --format"|\
    "luna home show --format"|\
    "luna home schema --format"|\
    "luna home account list --format"|\
    "luna home account token list --format"|\
    "luna rule list --format"|\
    "luna notify list --format"|\
    "luna contact list --format"|\
    "luna share list --format"|\
    "luna tracker list --format"|\
    "luna doctor --format"|\
    "luna config show --format"|\
    "luna adapters --format"|\
    "luna report seal --format"|\
    "luna uplink profiles --format"|\
    "luna uplink settings --format"|\
    "luna uplink results --format") kind=words words="table jsonl csv" ;;
    "luna scan --radio"|\
    "luna local --radio"|\
    "luna watch --radio"|\
    "luna onboard --radio"|\
    "luna buzz --radio"|\
    "luna identify --radio"|\
    "luna owner ping --radio"|\
    "luna owner set-clock --radio"|\
    "luna owner here --radio"|\
    "luna owner blink --radio"|\
    "luna owner reset --radio"|\
    "luna finder --radio"|\
    "luna doctor --radio"|\
    "luna capture --radio") kind=words words="auto observe mgmt dbus exclusive h4: virtual" ;;
    "luna scan --phy"|\
    "luna local --phy"|\
    "luna watch --phy"|\
    "luna finder --phy"|\
    "luna capture --phy") kind=list words="1m coded" ;;
    "luna local --format"|\
    "luna watch --format"|\
    "luna watch show --format"|\
    "luna watch mark --format"|\
    "luna onboard --format"|\
    "luna buzz --format"|\
    "luna identify --format"|\
    "luna owner buzz --format"|\
    "luna owner ping --format"|\
    "luna owner set-clock --format"|\
    "luna owner here --format"|\
    "luna owner blink --format"|\
    "luna owner reset --format"|\
    "luna finder status --format"|\
    "luna fleet show --format"|\
    "luna fleet add --format"|\
    "luna fleet edit --format"|\
    "luna fleet remove --format"|\
    "luna fleet undo --format"|\
    "luna fleet enroll --format"|\
    "luna fleet label --format"|\
    "luna fleet import --format"|\
    "luna login --format"|\
    "luna whoami --format"|\
    "luna token show --format"|\
    "luna telemetry status --format"|\
    "luna telemetry flush --format"|\
    "luna telemetry clear --format"|\
    "luna home check --format"|\
    "luna home do --format"|\
    "luna home link --format"|\
    "luna home account add --format"|\
    "luna home account invite --format"|\
    "luna home account edit --format"|\
    "luna home account reset --format"|\
    "luna home account remove --format"|\
    "luna home account token add --format"|\
    "luna home account token revoke --format"|\
    "luna rule test --format"|\
    "luna rule why --format"|\
    "luna notify test --format"|\
    "luna contact card --format"|\
    "luna contact add --format"|\
    "luna contact verify --format"|\
    "luna share add --format"|\
    "luna share show --format"|\
    "luna share renew --format"|\
    "luna share end --format"|\
    "luna share import --format"|\
    "luna share inspect --format"|\
    "luna config check --format"|\
    "luna decode --format"|\
    "luna uplink consent --format"|\
    "luna uplink record --format"|\
    "luna uplink check --format"|\
    "luna uplink locate --format"|\
    "luna uplink dpi --format"|\
    "luna uplink results judge --format"|\
    "luna uplink results import --format") kind=words words="table jsonl" ;;
    "luna local --state"|\
    "luna watch --state"|\
    "luna watch list --state"|\
    "luna watch show --state"|\
    "luna watch mark --state"|\
    "luna onboard --state"|\
    "luna buzz --state"|\
    "luna identify --state"|\
    "luna owner list --state"|\
    "luna owner show --state"|\
    "luna owner events --state"|\
    "luna owner buzz --state"|\
    "luna owner commands --state"|\
    "luna owner packages --state"|\
    "luna owner rename --state"|\
    "luna owner forget --state"|\
    "luna owner export --state"|\
    "luna owner import --state"|\
    "luna owner ping --state"|\
    "luna owner set-clock --state"|\
    "luna owner here --state"|\
    "luna owner blink --state"|\
    "luna owner reset --state"|\
    "luna owner seal --state"|\
    "luna owner unseal --state"|\
    "luna finder --state"|\
    "luna finder enroll --state"|\
    "luna finder label --state"|\
    "luna finder status --state"|\
    "luna backend --state"|\
    "luna backend token create --state"|\
    "luna backend token list --state"|\
    "luna backend token revoke --state"|\
    "luna backend enroll --state"|\
    "luna backend migrate --state"|\
    "luna backend backup --state"|\
    "luna backend check-config --state"|\
    "luna backend settings --state"|\
    "luna fleet list --state"|\
    "luna fleet show --state"|\
    "luna fleet add --state"|\
    "luna fleet edit --state"|\
    "luna fleet remove --state"|\
    "luna fleet undo --state"|\
    "luna fleet enroll --state"|\
    "luna fleet label --state"|\
    "luna fleet devices --state"|\
    "luna fleet history --state"|\
    "luna fleet export --state"|\
    "luna fleet import --state"|\
    "luna account list --state"|\
    "luna account add --state"|\
    "luna account edit --state"|\
    "luna account remove --state"|\
    "luna account link --state"|\
    "luna account sessions --state"|\
    "luna account approve --state"|\
    "luna login --state"|\
    "luna logout --state"|\
    "luna whoami --state"|\
    "luna token show --state"|\
    "luna token refresh --state"|\
    "luna telemetry status --state"|\
    "luna telemetry flush --state"|\
    "luna telemetry log --state"|\
    "luna telemetry time --state"|\
    "luna telemetry clear --state"|\
    "luna home run --state"|\
    "luna home init --state"|\
    "luna home show --state"|\
    "luna home do --state"|\
    "luna home link --state"|\
    "luna home account list --state"|\
    "luna home account add --state"|\
    "luna home account invite --state"|\
    "luna home account edit --state"|\
    "luna home account reset --state"|\
    "luna home account remove --state"|\
    "luna home account token add --state"|\
    "luna home account token list --state"|\
    "luna home account token revoke --state"|\
    "luna home export --state"|\
    "luna rule test --state"|\
    "luna rule why --state"|\
    "luna rule snooze --state"|\
    "luna rule run --state"|\
    "luna notify test --state"|\
    "luna notify list --state"|\
    "luna notify retry --state"|\
    "luna contact card --state"|\
    "luna contact add --state"|\
    "luna contact list --state"|\
    "luna contact verify --state"|\
    "luna contact remove --state"|\
    "luna share add --state"|\
    "luna share list --state"|\
    "luna share show --state"|\
    "luna share renew --state"|\
    "luna share end --state"|\
    "luna share import --state"|\
    "luna share inspect --state"|\
    "luna tracker create --state"|\
    "luna tracker run --state"|\
    "luna tracker list --state"|\
    "luna tracker export --state"|\
    "luna tracker label --state"|\
    "luna tracker reset --state"|\
    "luna demo --keep"|\
    "luna doctor --state"|\
    "luna setup gateway --directory"|\
    "luna keys --state"|\
    "luna report open --state"|\
    "luna uplink consent --state"|\
    "luna uplink record --directory"|\
    "luna uplink record --state"|\
    "luna uplink check --state"|\
    "luna uplink locate --state"|\
    "luna uplink dpi --state"|\
    "luna uplink serve --recordings"|\
    "luna uplink results --state"|\
    "luna uplink results import --state") kind=directory ;;
    "luna local --exec-on"|\
    "luna local --webhook-on") kind=list words="appeared seen rotated timedOut drift batteryLow" ;;
    "luna watch --location"|\
    "luna finder --location"|\
    "luna doctor --location"|\
    "luna setup gateway --location") kind=words words="static: gpsd geoclue" ;;
    "luna watch --sensitivity") kind=words words="low medium high" ;;
    "luna watch --without") kind=words words="bothEnds chain crowd noLinkAtEdges nearOwner stayed confidence shortLived signal" ;;
    "luna watch mark @1") kind=words words="mine known falseAlarm none" ;;
    "luna owner list --account-refusal"|\
    "luna owner events --account-refusal"|\
    "luna owner buzz --account-refusal"|\
    "luna owner commands --account-refusal"|\
    "luna finder --account-refusal"|\
    "luna fleet list --account-refusal"|\
    "luna fleet show --account-refusal"|\
    "luna fleet add --account-refusal"|\
    "luna fleet edit --account-refusal"|\
    "luna fleet remove --account-refusal"|\
    "luna fleet undo --account-refusal"|\
    "luna fleet enroll --account-refusal"|\
    "luna fleet label --account-refusal"|\
    "luna fleet devices --account-refusal"|\
    "luna fleet history --account-refusal"|\
    "luna fleet export --account-refusal"|\
    "luna fleet import --account-refusal"|\
    "luna login --account-refusal"|\
    "luna logout --account-refusal"|\
    "luna whoami --account-refusal"|\
    "luna token show --account-refusal"|\
    "luna token refresh --account-refusal"|\
    "luna telemetry flush --account-refusal") kind=words words="lenient strict" ;;
    "luna owner events --format") kind=words words="table jsonl csv gpx geojson kml svg html" ;;
    "luna owner events --as") kind=words words="json table jsonl csv gpx geojson kml svg html" ;;
    "luna owner packages --command") kind=words words="buzzStart buzzStop blink ping" ;;
    "luna finder --duty"|\
    "luna setup gateway --duty") kind=words words="auto full sparse" ;;
    "luna finder --format"|\
    "luna home run --format"|\
    "luna demo --format") kind=words words="text jsonl" ;;
    "luna finder --devices") kind=words words="off counts refs" ;;
    "luna finder --telemetry-mode"|\
    "luna token show --mode"|\
    "luna telemetry flush --telemetry-mode") kind=words words="jwt accessToken" ;;
    "luna finder --when-signed-out"|\
    "luna telemetry flush --when-signed-out") kind=words words="keep drop" ;;
    "luna finder --exec-on"|\
    "luna finder --webhook-on") kind=list words="duty state recovery queue sighting region location upload command dropped end problem" ;;
    "luna backend token create --role"|\
    "luna account add --role"|\
    "luna account edit --role") kind=words words="viewer operator admin" ;;
    "luna backend token create @0") kind=words words="gateway owner admin" ;;
    "luna fleet export --format") kind=words words="jsonl csv" ;;
    "luna login --as") kind=words words="gateway owner account" ;;
    "luna home account add --role"|\
    "luna home account edit --role"|\
    "luna home account token add --role") kind=words words="guest member owner" ;;
    "luna share add --rings") kind=words words="1 2 4 8" ;;
    "luna tracker run --radio") kind=words words="auto dbus exclusive h4: virtual" ;;
    "luna tracker list --radio"|\
    "luna tracker export --radio") kind=words words="virtual" ;;
    "luna doctor @"*) kind=words words="namespace adapter power rfkill bluetoothd dbus capabilities kernel autosuspend scanner clock location backend queue disk state units listen" ;;
    "luna uplink check --rule"|\
    "luna uplink locate --rule"|\
    "luna uplink results judge --rule") kind=words words="ios java server" ;;
    "luna uplink check --buckets"|\
    "luna uplink locate --buckets") kind=words words="real nominal" ;;
    "luna uplink check --direction") kind=words words="up down both" ;;
    "luna uplink check --simulate") kind=words words="fair throttled prioritised blocked inconclusive random" ;;
    "luna uplink check --server"|\
    "luna uplink locate --server"|\
    "luna uplink dpi --server") kind=words words="mlab" ;;
    "luna uplink check --metered"|\
    "luna uplink locate --metered"|\
    "luna uplink dpi --metered") kind=words words="auto yes no" ;;
    "luna uplink locate --simulate") kind=words words="common separate noEvidence" ;;
    "luna uplink dpi --simulate") kind=words words="name spans either byte packets nothing noise" ;;
    "luna uplink results --as") kind=words words="json csv svg wehe" ;;
    "luna completions @0") kind=words words="bash zsh fish" ;;
  esac
}

# Sets words to the options of command $1.
_luna_options() {
  words=""
  case "$1" in
    "luna") words="-v --verbose -q --quiet --color --config -h --help --version" ;;
    "luna scan") words="--trackers --filter --min-rssi --fields --summary --by --list-values --format -i --adapter --radio -r --read --realtime -w --write --force -T --duration -c --count --active --passive --phy --metrics --speed --epoch --utc -v --verbose -q --quiet --color --config -h --help" ;;
    "luna local") words="--format --timeout --state --passphrase-file -i --adapter --radio -r --read --realtime -w --write --force -T --duration -c --count --active --passive --phy --mqtt --mqtt-password-file --mqtt-ca-file --mqtt-certificate --mqtt-key --mqtt-discovery --exec --exec-on --webhook --webhook-on --webhook-token-file --webhook-ca-file --webhook-allow-plain-http --allow --deny --metrics --speed --epoch --utc -v --verbose -q --quiet --color --config -h --help" ;;
    "luna watch") words="--track --location --sensitivity --without --format --state --passphrase-file -i --adapter --radio -r --read --realtime -w --write --force -T --duration -c --count --active --passive --phy --speed --epoch --utc -v --verbose -q --quiet --color --config -h --help" ;;
    "luna watch list") words="--state --format --utc -v --verbose -q --quiet --color --config -h --help" ;;
    "luna watch show") words="--state --format --utc -v --verbose -q --quiet --color --config -h --help" ;;
    "luna watch mark") words="--state --format --utc -v --verbose -q --quiet --color --config -h --help" ;;
    "luna onboard") words="--name --code --code-file --qr --unauthenticated --wait -T --duration --dry-run --format -i --adapter --radio --speed --epoch --state --passphrase-file --utc -v --verbose -q --quiet --color --config -h --help" ;;
    "luna buzz") words="--seconds --stop --package --any --format -i --adapter --radio -T --duration --speed --epoch --state --passphrase-file --utc -v --verbose -q --quiet --color --config -h --help" ;;
    "luna identify") words="--wait --format -i --adapter --radio -T --duration --speed --epoch --state --passphrase-file --utc -v --verbose -q --quiet --color --config -h --help" ;;
    "luna owner") words="-v --verbose -q --quiet --color --config -h --help" ;;
    "luna owner list") words="--where --format --backend --token-file --ca-file --proxy --allow-plain-http --sign-in --account-refusal --state --passphrase-file --utc -v --verbose -q --quiet --color --config -h --help" ;;
    "luna owner show") words="--secrets --format --state --passphrase-file --utc -v --verbose -q --quiet --color --config -h --help" ;;
    "luna owner events") words="--from --to --format --as --backend --token-file --ca-file --proxy --allow-plain-http --sign-in --account-refusal --state --passphrase-file --utc -v --verbose -q --quiet --color --config -h --help" ;;
    "luna owner buzz") words="--remote --hours --seconds --wait --cancel --format --backend --token-file --ca-file --proxy --allow-plain-http --sign-in --account-refusal --state --passphrase-file --utc -v --verbose -q --quiet --color --config -h --help" ;;
    "luna owner commands") words="--format --utc --backend --token-file --ca-file --proxy --allow-plain-http --sign-in --account-refusal --state --passphrase-file -v --verbose -q --quiet --color --config -h --help" ;;
    "luna owner packages") words="--hours --command --seconds --at --state --passphrase-file --utc -v --verbose -q --quiet --color --config -h --help" ;;
    "luna owner rename") words="--format --state --passphrase-file -v --verbose -q --quiet --color --config -h --help" ;;
    "luna owner forget") words="-y --yes --format --state --passphrase-file -v --verbose -q --quiet --color --config -h --help" ;;
    "luna owner export") words="--force --state --passphrase-file -v --verbose -q --quiet --color --config -h --help" ;;
    "luna owner import") words="--alignment --format --state --passphrase-file -v --verbose -q --quiet --color --config -h --help" ;;
    "luna owner ping") words="--format -i --adapter --radio -T --duration --speed --epoch --state --passphrase-file --utc -v --verbose -q --quiet --color --config -h --help" ;;
    "luna owner set-clock") words="--format -i --adapter --radio -T --duration --speed --epoch --state --passphrase-file --utc -v --verbose -q --quiet --color --config -h --help" ;;
    "luna owner here") words="--format -i --adapter --radio -T --duration --speed --epoch --state --passphrase-file --utc -v --verbose -q --quiet --color --config -h --help" ;;
    "luna owner blink") words="--seconds --format -i --adapter --radio -T --duration --speed --epoch --state --passphrase-file --utc -v --verbose -q --quiet --color --config -h --help" ;;
    "luna owner reset") words="-y --yes --format -i --adapter --radio -T --duration --speed --epoch --state --passphrase-file --utc -v --verbose -q --quiet --color --config -h --help" ;;
    "luna owner seal") words="--new-passphrase-file --state --passphrase-file -v --verbose -q --quiet --color --config -h --help" ;;
    "luna owner unseal") words="--state --passphrase-file -v --verbose -q --quiet --color --config -h --help" ;;
    "luna finder") words="--location --once --duty --format --health --no-health --devices --backend --token-file --ca-file --proxy --allow-plain-http --sign-in --account-refusal --account-on-change --telemetry-root --telemetry-mode --when-signed-out --batch --batch-time --interval --queue-limit --distance --accuracy --debug-fields --allow-insecure-debug-fields --state -i --adapter --radio -r --read --realtime -T --duration --active --passive --phy --mqtt --mqtt-password-file --mqtt-ca-file --mqtt-certificate --mqtt-key --mqtt-discovery --exec --exec-on --webhook --webhook-on --webhook-token-file --webhook-ca-file --webhook-allow-plain-http --metrics --speed --epoch --utc -v --verbose -q --quiet --color --config -h --help" ;;
    "luna finder enroll") words="--code-file --force --backend --token-file --ca-file --proxy --allow-plain-http --state -v --verbose -q --quiet --color --config -h --help" ;;
    "luna finder label") words="-o --output --force --name --site --manufacturer --model --at --state -v --verbose -q --quiet --color --config -h --help" ;;
    "luna finder status") words="--format --state --utc -v --verbose -q --quiet --color --config -h --help" ;;
    "luna backend") words="--listen --tls-cert --tls-key --retention --connections --connections-per-address --requests --body-memory --threads --events-per-second --requests-per-second --events-per-identifier --open-commands --of --public-url --console --no-console --tiles --trust-proxy --uplink --uplink-pair --testing --demo --store --state --store-connections --store-queue -v --verbose -q --quiet --color --config -h --help" ;;
    "luna backend token") words="-v --verbose -q --quiet --color --config -h --help" ;;
    "luna backend token create") words="--role --out --force --format --store --state -v --verbose -q --quiet --color --config -h --help" ;;
    "luna backend token list") words="--format --store --state --utc -v --verbose -q --quiet --color --config -h --help" ;;
    "luna backend token revoke") words="--store --state -v --verbose -q --quiet --color --config -h --help" ;;
    "luna backend enroll") words="--valid --format --store --state --utc -v --verbose -q --quiet --color --config -h --help" ;;
    "luna backend migrate") words="--store --state -v --verbose -q --quiet --color --config -h --help" ;;
    "luna backend backup") words="--force --store --state -v --verbose -q --quiet --color --config -h --help" ;;
    "luna backend check-config") words="--listen --tls-cert --tls-key --retention --connections --connections-per-address --requests --body-memory --threads --events-per-second --requests-per-second --events-per-identifier --open-commands --of --public-url --console --no-console --tiles --trust-proxy --uplink --uplink-pair --testing --demo --store --state --store-connections --store-queue -v --verbose -q --quiet --color --config -h --help" ;;
    "luna backend settings") words="-y --yes --format --store --state -v --verbose -q --quiet --color --config -h --help" ;;
    "luna fleet") words="-v --verbose -q --quiet --color --config -h --help" ;;
    "luna fleet list") words="--search --sort --format --backend --token-file --ca-file --proxy --allow-plain-http --sign-in --account-refusal --state --utc -v --verbose -q --quiet --color --config -h --help" ;;
    "luna fleet show") words="--format --backend --token-file --ca-file --proxy --allow-plain-http --sign-in --account-refusal --state --utc -v --verbose -q --quiet --color --config -h --help" ;;
    "luna fleet add") words="--no-position --at --place --site --tag --manufacturer --note --format --backend --token-file --ca-file --proxy --allow-plain-http --sign-in --account-refusal --state --utc -v --verbose -q --quiet --color --config -h --help" ;;
    "luna fleet edit") words="--name --at --place --site --tag --manufacturer --note --untag --picture --format --backend --token-file --ca-file --proxy --allow-plain-http --sign-in --account-refusal --state --utc -v --verbose -q --quiet --color --config -h --help" ;;
    "luna fleet remove") words="-y --yes --format --backend --token-file --ca-file --proxy --allow-plain-http --sign-in --account-refusal --state --utc -v --verbose -q --quiet --color --config -h --help" ;;
    "luna fleet undo") words="--format --backend --token-file --ca-file --proxy --allow-plain-http --sign-in --account-refusal --state --utc -v --verbose -q --quiet --color --config -h --help" ;;
    "luna fleet enroll") words="--qr --record --name --at --no-position --format --backend --token-file --ca-file --proxy --allow-plain-http --sign-in --account-refusal --state --utc -v --verbose -q --quiet --color --config -h --help" ;;
    "luna fleet label") words="-o --output --force --format --backend --token-file --ca-file --proxy --allow-plain-http --sign-in --account-refusal --state --utc -v --verbose -q --quiet --color --config -h --help" ;;
    "luna fleet devices") words="--approve --forget --edit --name --priority --place --manufacturer --picture --format --backend --token-file --ca-file --proxy --allow-plain-http --sign-in --account-refusal --state --utc -v --verbose -q --quiet --color --config -h --help" ;;
    "luna fleet history") words="--format --backend --token-file --ca-file --proxy --allow-plain-http --sign-in --account-refusal --state --utc -v --verbose -q --quiet --color --config -h --help" ;;
    "luna fleet export") words="--search --format --backend --token-file --ca-file --proxy --allow-plain-http --sign-in --account-refusal --state --utc -v --verbose -q --quiet --color --config -h --help" ;;
    "luna fleet import") words="--dry-run --format --backend --token-file --ca-file --proxy --allow-plain-http --sign-in --account-refusal --state --utc -v --verbose -q --quiet --color --config -h --help" ;;
    "luna account") words="-v --verbose -q --quiet --color --config -h --help" ;;
    "luna account list") words="--format --store --state --utc -v --verbose -q --quiet --color --config -h --help" ;;
    "luna account add") words="--role --public-url --format --store --state --utc -v --verbose -q --quiet --color --config -h --help" ;;
    "luna account edit") words="--role --invite --public-url --format --store --state --utc -v --verbose -q --quiet --color --config -h --help" ;;
    "luna account remove") words="--store --state -v --verbose -q --quiet --color --config -h --help" ;;
    "luna account link") words="--issuer --subject --store --state -v --verbose -q --quiet --color --config -h --help" ;;
    "luna account sessions") words="--end --format --store --state --utc -v --verbose -q --quiet --color --config -h --help" ;;
    "luna account approve") words="--account --key --deny --format --store --state --utc -v --verbose -q --quiet --color --config -h --help" ;;
    "luna login") words="--backend --issuer --client-id --device-endpoint --device --browser --paste --demo --as --scope --redirect-port --profile --account-refusal --state --ca-file --proxy --format -v --verbose -q --quiet --color --config -h --help" ;;
    "luna logout") words="--keep-grant --profile --account-refusal --state --ca-file --proxy -v --verbose -q --quiet --color --config -h --help" ;;
    "luna whoami") words="--backend --profile --account-refusal --state --ca-file --proxy --format --utc -v --verbose -q --quiet --color --config -h --help" ;;
    "luna token") words="-v --verbose -q --quiet --color --config -h --help" ;;
    "luna token show") words="--mode --format --profile --account-refusal --state --ca-file --proxy -v --verbose -q --quiet --color --config -h --help" ;;
    "luna token refresh") words="--force --profile --account-refusal --state --ca-file --proxy --utc -v --verbose -q --quiet --color --config -h --help" ;;
    "luna telemetry") words="-v --verbose -q --quiet --color --config -h --help" ;;
    "luna telemetry status") words="--format --state --utc -v --verbose -q --quiet --color --config -h --help" ;;
    "luna telemetry flush") words="--format --backend --token-file --ca-file --proxy --allow-plain-http --sign-in --account-refusal --telemetry-root --telemetry-mode --when-signed-out --state -v --verbose -q --quiet --color --config -h --help" ;;
    "luna telemetry log") words="--telemetry-root --state -v --verbose -q --quiet --color --config -h --help" ;;
    "luna telemetry time") words="--telemetry-root --state -v --verbose -q --quiet --color --config -h --help" ;;
    "luna telemetry clear") words="--format --state -v --verbose -q --quiet --color --config -h --help" ;;
    "luna home") words="-v --verbose -q --quiet --color --config -h --help" ;;
    "luna home run") words="--demo --format --speed --epoch --state --passphrase-file --utc -v --verbose -q --quiet --color --config -h --help" ;;
    "luna home init") words="--force --state --passphrase-file -v --verbose -q --quiet --color --config -h --help" ;;
    "luna home check") words="--fix --format -v --verbose -q --quiet --color --config -h --help" ;;
    "luna home show") words="--objects --state --format -v --verbose -q --quiet --color --config -h --help" ;;
    "luna home schema") words="--keys --format -v --verbose -q --quiet --color --config -h --help" ;;
    "luna home migrate") words="-v --verbose -q --quiet --color --config -h --help" ;;
    "luna home do") words="--state --format -v --verbose -q --quiet --color --config -h --help" ;;
    "luna home link") words="--state --format -v --verbose -q --quiet --color --config -h --help" ;;
    "luna home account") words="-v --verbose -q --quiet --color --config -h --help" ;;
    "luna home account list") words="--state --format --utc -v --verbose -q --quiet --color --config -h --help" ;;
    "luna home account add") words="--role --state --format --utc -v --verbose -q --quiet --color --config -h --help" ;;
    "luna home account invite") words="--trackers --see --until --state --format --utc -v --verbose -q --quiet --color --config -h --help" ;;
    "luna home account edit") words="--role --trackers --see --until --state --format --utc -v --verbose -q --quiet --color --config -h --help" ;;
    "luna home account reset") words="--state --format -v --verbose -q --quiet --color --config -h --help" ;;
    "luna home account remove") words="--state --format -v --verbose -q --quiet --color --config -h --help" ;;
    "luna home account token") words="-v --verbose -q --quiet --color --config -h --help" ;;
    "luna home account token add") words="--role --state --format -v --verbose -q --quiet --color --config -h --help" ;;
    "luna home account token list") words="--state --format -v --verbose -q --quiet --color --config -h --help" ;;
    "luna home account token revoke") words="--state --format -v --verbose -q --quiet --color --config -h --help" ;;
    "luna home export") words="--day -o --output --force --state -v --verbose -q --quiet --color --config -h --help" ;;
    "luna rule") words="-v --verbose -q --quiet --color --config -h --help" ;;
    "luna rule list") words="--file --time --count --format --utc -v --verbose -q --quiet --color --config -h --help" ;;
    "luna rule test") words="--replay --who --from --to --expect --file --state --passphrase-file --format --utc -v --verbose -q --quiet --color --config -h --help" ;;
    "luna rule why") words="--at --count --state --format --utc -v --verbose -q --quiet --color --config -h --help" ;;
    "luna rule snooze") words="--for --resume --state --utc -v --verbose -q --quiet --color --config -h --help" ;;
    "luna rule run") words="--state -v --verbose -q --quiet --color --config -h --help" ;;
    "luna notify") words="-v --verbose -q --quiet --color --config -h --help" ;;
    "luna notify test") words="--file --format --state -v --verbose -q --quiet --color --config -h --help" ;;
    "luna notify list") words="--failed --state --format --utc -v --verbose -q --quiet --color --config -h --help" ;;
    "luna notify retry") words="--state -v --verbose -q --quiet --color --config -h --help" ;;
    "luna contact") words="-v --verbose -q --quiet --color --config -h --help" ;;
    "luna contact card") words="--new --name --qr -o --output --force -y --yes --format --state --passphrase-file -v --verbose -q --quiet --color --config -h --help" ;;
    "luna contact add") words="--email --card --format --state --passphrase-file -v --verbose -q --quiet --color --config -h --help" ;;
    "luna contact list") words="--format --state --passphrase-file -v --verbose -q --quiet --color --config -h --help" ;;
    "luna contact verify") words="-y --yes --format --state --passphrase-file -v --verbose -q --quiet --color --config -h --help" ;;
    "luna contact remove") words="--state --passphrase-file -v --verbose -q --quiet --color --config -h --help" ;;
    "luna share") words="-v --verbose -q --quiet --color --config -h --help" ;;
    "luna share add") words="--with --days --until --past --rights --status --ring --ring-seconds --rings --backend --renew -o --output --force -y --yes --format --state --passphrase-file --utc -v --verbose -q --quiet --color --config -h --help" ;;
    "luna share list") words="--format --state --passphrase-file --utc -v --verbose -q --quiet --color --config -h --help" ;;
    "luna share show") words="--format --state --passphrase-file --utc -v --verbose -q --quiet --color --config -h --help" ;;
    "luna share renew") words="--days --backend -o --output --force --format --state --passphrase-file --utc -v --verbose -q --quiet --color --config -h --help" ;;
    "luna share end") words="-o --output --force --format --state --passphrase-file --utc -v --verbose -q --quiet --color --config -h --help" ;;
    "luna share import") words="--backend --format --state --passphrase-file --utc -v --verbose -q --quiet --color --config -h --help" ;;
    "luna share inspect") words="--backend --format --state --passphrase-file --utc -v --verbose -q --quiet --color --config -h --help" ;;
    "luna tracker") words="-v --verbose -q --quiet --color --config -h --help" ;;
    "luna tracker create") words="--onboardable --code-file --force --speed --epoch --utc --state -v --verbose -q --quiet --color --config -h --help" ;;
    "luna tracker run") words="--radio -i --adapter -T --duration --drift --lose-clock --exec --exec-on --speed --epoch --utc --state -v --verbose -q --quiet --color --config -h --help" ;;
    "luna tracker list") words="--codes --radio --format --state --utc -v --verbose -q --quiet --color --config -h --help" ;;
    "luna tracker export") words="--radio --force --state -v --verbose -q --quiet --color --config -h --help" ;;
    "luna tracker label") words="-o --output --force --code-file --state -v --verbose -q --quiet --color --config -h --help" ;;
    "luna tracker reset") words="--state -v --verbose -q --quiet --color --config -h --help" ;;
    "luna demo") words="--fleet --force --picture --keep --speed --format --utc -v --verbose -q --quiet --color --config -h --help" ;;
    "luna doctor") words="--list --location -i --adapter --radio -T --duration --backend --token-file --ca-file --proxy --allow-plain-http --state --format --utc -v --verbose -q --quiet --color --config -h --help" ;;
    "luna setup") words="-v --verbose -q --quiet --color --config -h --help" ;;
    "luna setup gateway") words="--code-file --location -i --adapter --duty -y --yes --force --directory --no-service --backend --token-file --ca-file --proxy --allow-plain-http -v --verbose -q --quiet --color --config -h --help" ;;
    "luna config") words="-v --verbose -q --quiet --color --config -h --help" ;;
    "luna config show") words="--format -v --verbose -q --quiet --color --config -h --help" ;;
    "luna config check") words="--format -v --verbose -q --quiet --color --config -h --help" ;;
    "luna adapters") words="--format -v --verbose -q --quiet --color --config -h --help" ;;
    "luna capture") words="--rotate --keep -i --adapter --radio -r --read --realtime -w --write --force -T --duration -c --count --active --passive --phy --speed --epoch --utc -v --verbose -q --quiet --color --config -h --help" ;;
    "luna decode") words="--hci --address --format -v --verbose -q --quiet --color --config -h --help" ;;
    "luna keys") words="--master-key-file --device --at --counter --count --secrets --eddystone --exponent --state --passphrase-file --utc -v --verbose -q --quiet --color --config -h --help" ;;
    "luna report") words="-v --verbose -q --quiet --color --config -h --help" ;;
    "luna report seal") words="--eid --aotp --esf --rssi --latitude --longitude --altitude --horizontal-accuracy --vertical-accuracy --speed --course --simulated --time --format --utc -v --verbose -q --quiet --color --config -h --help" ;;
    "luna report open") words="--master-key-file --device --heid --esf --counter --at --state --passphrase-file --utc -v --verbose -q --quiet --color --config -h --help" ;;
    "luna uplink") words="-v --verbose -q --quiet --color --config -h --help" ;;
    "luna uplink consent") words="--accept --withdraw --format --state --utc -v --verbose -q --quiet --color --config -h --help" ;;
    "luna uplink profiles") words="--format -v --verbose -q --quiet --color --config -h --help" ;;
    "luna uplink record") words="--to --uploads --directory --force --backend --token-file --ca-file --proxy --allow-plain-http --format --state -v --verbose -q --quiet --color --config -h --help" ;;
    "luna uplink check") words="--confirm --no-confirm --rule --use-defaults --no-use-defaults --area --p-value --ratio --user-id --history-count --extra-string --packet-timing --no-packet-timing --send-facts --buckets --profiles --direction --control-name --pairs --scheduled --simulate --slowdown --power --server --backend --token-file --ca-file --ca-name-check --no-ca-name-check --plain --ports --locate-url --site --budget --budget-metered --monthly --monthly-metered --metered --format --state -v --verbose -q --quiet --color --config -h --help" ;;
    "luna uplink locate") words="--pair --baseline --force --control-name --simulate --mwu-p-value --correlation-p-value --correlation-share --rule --use-defaults --no-use-defaults --area --p-value --ratio --user-id --history-count --extra-string --packet-timing --no-packet-timing --send-facts --buckets --server --backend --token-file --ca-file --ca-name-check --no-ca-name-check --plain --ports --locate-url --site --budget --budget-metered --monthly --monthly-metered --metered --format --state -v --verbose -q --quiet --color --config -h --help" ;;
    "luna uplink dpi") words="--control-name --other-port --resume --simulate --user-id --history-count --extra-string --server --backend --token-file --ca-file --ca-name-check --no-ca-name-check --plain --ports --locate-url --site --budget --budget-metered --monthly --monthly-metered --metered --format --state -v --verbose -q --quiet --color --config -h --help" ;;
    "luna uplink serve") words="--listen --tls-cert --tls-key --token-file --wehe --recordings --ports --pair --variations --ca-file --sessions --waiting --session-data --daily-data --rate -v --verbose -q --quiet --color --config -h --help" ;;
    "luna uplink settings") words="--defaults --format -v --verbose -q --quiet --color --config -h --help" ;;
    "luna uplink results") words="--as --forget --format --state --utc -v --verbose -q --quiet --color --config -h --help" ;;
    "luna uplink results judge") words="--rule --single --variations --format -v --verbose -q --quiet --color --config -h --help" ;;
    "luna uplink results import") words="--format --state -v --verbose -q --quiet --color --config -h --help" ;;
    "luna selftest") words="--vectors --answer -v --verbose -q --quiet --color --config -h --help" ;;
    "luna completions") words="-v --verbose -q --quiet --color --config -h --help" ;;
  esac
}

# Sets words to the commands below command $1.
_luna_subcommands() {
  words=""
  case "$1" in
    "luna") words="scan local watch onboard buzz identify owner finder backend fleet account login logout whoami token telemetry home rule notify contact share tracker demo doctor setup config adapters capture decode keys report uplink selftest completions" ;;
    "luna watch") words="list show mark" ;;
    "luna owner") words="list show events buzz commands packages rename forget export import ping set-clock here blink reset seal unseal" ;;
    "luna finder") words="enroll label status" ;;
    "luna backend") words="token enroll migrate backup check-config settings" ;;
    "luna backend token") words="create list revoke" ;;
    "luna fleet") words="list show add edit remove undo enroll label devices history export import" ;;
    "luna account") words="list add edit remove link sessions approve" ;;
    "luna token") words="show refresh" ;;
    "luna telemetry") words="status flush log time clear" ;;
    "luna home") words="run init check show schema migrate do link account export" ;;
    "luna home account") words="list add invite edit reset remove token" ;;
    "luna home account token") words="add list revoke" ;;
    "luna rule") words="list test why snooze run" ;;
    "luna notify") words="test list retry" ;;
    "luna contact") words="card add list verify remove" ;;
    "luna share") words="add list show renew end import inspect" ;;
    "luna tracker") words="create run list export label reset" ;;
    "luna setup") words="gateway" ;;
    "luna config") words="show check" ;;
    "luna report") words="seal open" ;;
    "luna uplink") words="consent profiles record check locate dpi serve settings results" ;;
    "luna uplink results") words="judge import" ;;
  esac
}

# Puts what can follow $1 as a value of the given kind and words into COMPREPLY.
_luna_reply() {
  local entry head=""
  case $kind in
    words) COMPREPLY=($(compgen -W "$words" -- "$1")) ;;
    list)
      [[ $1 == *,* ]] && head=${1%,*},
      for entry in $words; do
        [[ ,$head == *,"$entry",* || $head$entry != "$1"* ]] || COMPREPLY+=("$head$entry")
      done
      compopt -o nospace 2>/dev/null
      ;;
    entries)
      for entry in "$words"/*; do
        [[ -e $entry ]] || continue
        entry=${entry##*/}
        [[ $entry == "$1"* ]] && COMPREPLY+=("$entry")
      done
      ;;
    file)
      compopt -o filenames 2>/dev/null
      mapfile -t COMPREPLY < <(compgen -f -- "$1")
      ;;
    directory)
      compopt -o filenames 2>/dev/null
      mapfile -t COMPREPLY < <(compgen -d -- "$1")
      ;;
  esac
  # h4:tcp: and the like go on.
  if [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *: ]]; then
    compopt -o nospace 2>/dev/null
  fi
}

_luna() {
  local command="luna" option="" ended="" operands=0 current="" word glue="" i j kind words
  local -a line=()
  COMPREPLY=()
  # Bash splits words at = and :; here they are put together again.
  for ((i = 0; i <= COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    if ((${#line[@]} > 1)) && [[ $word =~ ^[=:]+$ && $COMP_WORDBREAKS == *"${word:0:1}"* ]]; then
      line[${#line[@]}-1]+=$word
      glue=1
    elif [[ -n $glue ]]; then
      line[${#line[@]}-1]+=$word
      glue=""
    else
      line+=("$word")
    fi
  done

  for ((i = 1; i < ${#line[@]} - 1; i++)); do
    word=${line[i]}
    if [[ -n $option ]]; then
      option=""
    elif [[ -n $ended ]]; then
      operands=$((operands + 1))
    else
      case $word in
        --) ended=1 ;;
        --*=*) ;;
        --*)
          _luna_value "$command" "$word"
          [[ -n $kind ]] && option=$word
          ;;
        -?*)
          for ((j = 1; j < ${#word}; j++)); do
            _luna_value "$command" "-${word:j:1}"
            [[ -n $kind ]] || continue
            ((j == ${#word} - 1)) && option=-${word:j:1}
            break
          done
          ;;
        *)
          case "$command $word" in
            "luna scan"|"luna local"|"luna watch"|"luna watch list"|"luna watch show"|"luna watch mark"|"luna onboard"|"luna buzz"|"luna identify"|"luna owner"|"luna owner list"|"luna owner show"|"luna owner events"|"luna owner buzz"|"luna owner commands"|"luna owner packages"|"luna owner rename"|"luna owner forget"|"luna owner export"|"luna owner import"|"luna owner ping"|"luna owner set-clock"|"luna owner here"|"luna owner blink"|"luna owner reset"|"luna owner seal"|"luna owner unseal"|"luna finder"|"luna finder enroll"|"luna finder label"|"luna finder status"|"luna backend"|"luna backend token"|"luna backend token create"|"luna backend token list"|"luna backend token revoke"|"luna backend enroll"|"luna backend migrate"|"luna backend backup"|"luna backend check-config"|"luna backend settings"|"luna fleet"|"luna fleet list"|"luna fleet show"|"luna fleet add"|"luna fleet edit"|"luna fleet remove"|"luna fleet undo"|"luna fleet enroll"|"luna fleet label"|"luna fleet devices"|"luna fleet history"|"luna fleet export"|"luna fleet import"|"luna account"|"luna account list"|"luna account add"|"luna account edit"|"luna account remove"|"luna account link"|"luna account sessions"|"luna account approve"|"luna login"|"luna logout"|"luna whoami"|"luna token"|"luna token show"|"luna token refresh"|"luna telemetry"|"luna telemetry status"|"luna telemetry flush"|"luna telemetry log"|"luna telemetry time"|"luna telemetry clear"|"luna home"|"luna home run"|"luna home init"|"luna home check"|"luna home show"|"luna home schema"|"luna home migrate"|"luna home do"|"luna home link"|"luna home account"|"luna home account list"|"luna home account add"|"luna home account invite"|"luna home account edit"|"luna home account reset"|"luna home account remove"|"luna home account token"|"luna home account token add"|"luna home account token list"|"luna home account token revoke"|"luna home export"|"luna rule"|"luna rule list"|"luna rule test"|"luna rule why"|"luna rule snooze"|"luna rule run"|"luna notify"|"luna notify test"|"luna notify list"|"luna notify retry"|"luna contact"|"luna contact card"|"luna contact add"|"luna contact list"|"luna contact verify"|"luna contact remove"|"luna share"|"luna share add"|"luna share list"|"luna share show"|"luna share renew"|"luna share end"|"luna share import"|"luna share inspect"|"luna tracker"|"luna tracker create"|"luna tracker run"|"luna tracker list"|"luna tracker export"|"luna tracker label"|"luna tracker reset"|"luna demo"|"luna doctor"|"luna setup"|"luna setup gateway"|"luna config"|"luna config show"|"luna config check"|"luna adapters"|"luna capture"|"luna decode"|"luna keys"|"luna report"|"luna report seal"|"luna report open"|"luna uplink"|"luna uplink consent"|"luna uplink profiles"|"luna uplink record"|"luna uplink check"|"luna uplink locate"|"luna uplink dpi"|"luna uplink serve"|"luna uplink settings"|"luna uplink results"|"luna uplink results judge"|"luna uplink results import"|"luna selftest"|"luna completions") command+=" $word" ;;
            *) operands=$((operands + 1)) ;;
          esac
          ;;
      esac
    fi
  done

  current=${line[${#line[@]}-1]}
  if [[ -n $option ]]; then
    _luna_value "$command" "$option"
    _luna_reply "$current"
  elif [[ -z $ended && $current == --*=* ]]; then
    option=${current%%=*}
    _luna_value "$command" "$option"
    _luna_reply "${current#*=}"
    if [[ $COMP_WORDBREAKS != *=* ]]; then
      COMPREPLY=("${COMPREPLY[@]/#/$option=}")
    fi
    current=${current#*=}
  elif [[ -z $ended && $current == -* ]]; then
    _luna_options "$command"
    COMPREPLY=($(compgen -W "$words" -- "$current"))
  else
    _luna_value "$command" "@$operands"
    _luna_reply "$current"
    if [[ -z $kind && -z $ended ]]; then
      words=""
      ((operands == 0)) && _luna_subcommands "$command"
      [[ -z $words && -z $current ]] && _luna_options "$command"
      COMPREPLY=($(compgen -W "$words" -- "$current"))
    fi
  fi

  # What stands before the last : is not part of the word that Bash replaces.
  if [[ $COMP_WORDBREAKS == *:* && $current == *:* && $kind != file ]]; then
    word=${current%"${current##*:}"}
    COMPREPLY=("${COMPREPLY[@]#"$word"}")
  fi
}

complete -F _luna luna
