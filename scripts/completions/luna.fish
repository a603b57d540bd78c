# fish completion for luna

set -g __luna_commands 'luna scan' \
    'luna local' \
    'luna watch' \
    'luna watch list' \
    'luna watch show' \
    'luna watch mark' \
    'luna onboard' \
    'luna buzz' \
    'luna identify' \
    'luna owner' \
    'luna owner list' \
    'luna owner show' \
    'luna owner events' \
    'luna owner buzz' \
    'luna owner commands' \
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
    'luna finder label' \
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
    'luna backend settings' \
    'luna fleet' \
    'luna fleet list' \
    'luna fleet show' \
    'luna fleet add' \
    'luna fleet edit' \
    'luna fleet remove' \
    'luna fleet undo' \
    'luna fleet enroll' \
    'luna fleet label' \
    'luna fleet devices' \
    'luna fleet history' \
    'luna fleet export' \
    'luna fleet import' \
    'luna account' \
    'luna account list' \
    'luna account add' \
    'luna account edit' \
    'luna account remove' \
    'luna account link' \
    'luna account sessions' \
    'luna account approve' \
    'luna login' \
    'luna logout' \
    'luna whoami' \
    'luna token' \
    'luna token show' \
    'luna token refresh' \
    'luna telemetry' \
    'luna telemetry status' \
    'luna telemetry flush' \
    'luna telemetry log' \
    'luna telemetry time' \
    'luna telemetry clear' \
    'luna home' \
    'luna home run' \
    'luna home init' \
    'luna home check' \
    'luna home show' \
    'luna home schema' \
    'luna home migrate' \
    'luna home do' \
    'luna home link' \
    'luna home account' \
    'luna home account list' \
    'luna home account add' \
    'luna home account invite' \
    'luna home account edit' \
    'luna home account reset' \
    'luna home account remove' \
    'luna home account token' \
    'luna home account token add' \
    'luna home account token list' \
    'luna home account token revoke' \
    'luna home export' \
    'luna rule' \
    'luna rule list' \
    'luna rule test' \
    'luna rule why' \
    'luna rule snooze' \
    'luna rule run' \
    'luna notify' \
    'luna notify test' \
    'luna notify list' \
    'luna notify retry' \
    'luna contact' \
    'luna contact card' \
    'luna contact add' \
    'luna contact list' \
    'luna contact verify' \
    'luna contact remove' \
    'luna share' \
    'luna share add' \
    'luna share list' \
    'luna share show' \
    'luna share renew' \
    'luna share end' \
    'luna share import' \
    'luna share inspect' \
    'luna tracker' \
    'luna tracker create' \
    'luna tracker run' \
    'luna tracker list' \
    'luna tracker export' \
    'luna tracker label' \
    'luna tracker reset' \
    'luna demo' \
    'luna doctor' \
    'luna setup' \
    'luna setup gateway' \
    'luna config' \
    'luna config show' \
    'luna config check' \
    'luna adapters' \
    'luna capture' \
    'luna decode' \
    'luna keys' \
    'luna report' \
    'luna report seal' \
    'luna report open' \
    'luna uplink' \
    'luna uplink consent' \
    'luna uplink profiles' \
    'luna uplink record' \
    'luna uplink check' \
    'luna uplink locate' \
    'luna uplink dpi' \
    'luna uplink serve' \
    'luna uplink settings' \
    'luna uplink results' \
    'luna uplink results judge' \
    'luna uplink results import' \
    'luna selftest' \
    'luna completions'
set -g __luna_valued 'luna --color' \
    'luna --config' \
    'luna scan --filter' \
    'luna scan --min-rssi' \
    'luna scan --fields' \
    'luna scan --by' \
    'luna scan --list-values' \
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
    'luna scan --metrics' \
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
    'luna local --mqtt' \
    'luna local --mqtt-password-file' \
    'luna local --mqtt-ca-file' \
    'luna local --mqtt-certificate' \
    'luna local --mqtt-key' \
    'luna local --mqtt-discovery' \
    'luna local --exec' \
    'luna local --exec-on' \
    'luna local --webhook' \
    'luna local --webhook-on' \
    'luna local --webhook-token-file' \
    'luna local --webhook-ca-file' \
    'luna local --allow' \
    'luna local --deny' \
    'luna local --metrics' \
    'luna local --speed' \
    'luna local --epoch' \
    'luna local --color' \
    'luna local --config' \
    'luna watch --track' \
    'luna watch --location' \
    'luna watch --sensitivity' \
    'luna watch --without' \
    'luna watch --format' \
    'luna watch --state' \
    'luna watch --passphrase-file' \
    'luna watch -i' \
    'luna watch --adapter' \
    'luna watch --radio' \
    'luna watch -r' \
    'luna watch --read' \
    'luna watch -w' \
    'luna watch --write' \
    'luna watch -T' \
    'luna watch --duration' \
    'luna watch -c' \
    'luna watch --count' \
    'luna watch --phy' \
    'luna watch --speed' \
    'luna watch --epoch' \
    'luna watch --color' \
    'luna watch --config' \
    'luna watch list --state' \
    'luna watch list --format' \
    'luna watch list --color' \
    'luna watch list --config' \
    'luna watch show --state' \
    'luna watch show --format' \
    'luna watch show --color' \
    'luna watch show --config' \
    'luna watch mark --state' \
    'luna watch mark --format' \
    'luna watch mark --color' \
    'luna watch mark --config' \
    'luna onboard --name' \
    'luna onboard --code' \
    'luna onboard --code-file' \
    'luna onboard --qr' \
    'luna onboard --wait' \
    'luna onboard -T' \
    'luna onboard --duration' \
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
    'luna owner list --backend' \
    'luna owner list --token-file' \
    'luna owner list --ca-file' \
    'luna owner list --proxy' \
    'luna owner list --sign-in' \
    'luna owner list --account-refusal' \
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
    'luna owner events --format' \
    'luna owner events --as' \
    'luna owner events --backend' \
    'luna owner events --token-file' \
    'luna owner events --ca-file' \
    'luna owner events --proxy' \
    'luna owner events --sign-in' \
    'luna owner events --account-refusal' \
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
    'luna owner buzz --sign-in' \
    'luna owner buzz --account-refusal' \
    'luna owner buzz --state' \
    'luna owner buzz --passphrase-file' \
    'luna owner buzz --color' \
    'luna owner buzz --config' \
    'luna owner commands --format' \
    'luna owner commands --backend' \
    'luna owner commands --token-file' \
    'luna owner commands --ca-file' \
    'luna owner commands --proxy' \
    'luna owner commands --sign-in' \
    'luna owner commands --account-refusal' \
    'luna owner commands --state' \
    'luna owner commands --passphrase-file' \
    'luna owner commands --color' \
    'luna owner commands --config' \
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
    'luna finder --devices' \
    'luna finder --backend' \
    'luna finder --token-file' \
    'luna finder --ca-file' \
    'luna finder --proxy' \
    'luna finder --sign-in' \
    'luna finder --account-refusal' \
    'luna finder --account-on-change' \
    'luna finder --telemetry-root' \
    'luna finder --telemetry-mode' \
    'luna finder --when-signed-out' \
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
    'luna finder -T' \
    'luna finder --duration' \
    'luna finder --phy' \
    'luna finder --mqtt' \
    'luna finder --mqtt-password-file' \
    'luna finder --mqtt-ca-file' \
    'luna finder --mqtt-certificate' \
    'luna finder --mqtt-key' \
    'luna finder --mqtt-discovery' \
    'luna finder --exec' \
    'luna finder --exec-on' \
    'luna finder --webhook' \
    'luna finder --webhook-on' \
    'luna finder --webhook-token-file' \
    'luna finder --webhook-ca-file' \
    'luna finder --metrics' \
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
    'luna finder label -o' \
    'luna finder label --output' \
    'luna finder label --name' \
    'luna finder label --site' \
    'luna finder label --manufacturer' \
    'luna finder label --model' \
    'luna finder label --at' \
    'luna finder label --state' \
    'luna finder label --color' \
    'luna finder label --config' \
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
    'luna backend --of' \
    'luna backend --public-url' \
    'luna backend --tiles' \
    'luna backend --trust-proxy' \
    'luna backend --uplink-pair' \
    'luna backend --issuer' \
    'luna backend --audience' \
    'luna backend --clients' \
    'luna backend --audience-is-scope' \
    'luna backend --id-token-clients' \
    'luna backend --introspection' \
    'luna backend --introspection-client' \
    'luna backend --introspection-secret-file' \
    'luna backend --oidc-client' \
    'luna backend --oidc-secret-file' \
    'luna backend --oidc-name' \
    'luna backend --oidc-scope' \
    'luna backend --oidc-role' \
    'luna backend --store' \
    'luna backend --state' \
    'luna backend --store-connections' \
    'luna backend --store-queue' \
    'luna backend --color' \
    'luna backend --config' \
    'luna backend token --color' \
    'luna backend token --config' \
    'luna backend token create --role' \
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
    'luna backend check-config --of' \
    'luna backend check-config --public-url' \
    'luna backend check-config --tiles' \
    'luna backend check-config --trust-proxy' \
    'luna backend check-config --uplink-pair' \
    'luna backend check-config --issuer' \
    'luna backend check-config --audience' \
    'luna backend check-config --clients' \
    'luna backend check-config --audience-is-scope' \
    'luna backend check-config --id-token-clients' \
    'luna backend check-config --introspection' \
    'luna backend check-config --introspection-client' \
    'luna backend check-config --introspection-secret-file' \
    'luna backend check-config --oidc-client' \
    'luna backend check-config --oidc-secret-file' \
    'luna backend check-config --oidc-name' \
    'luna backend check-config --oidc-scope' \
    'luna backend check-config --oidc-role' \
    'luna backend check-config --store' \
    'luna backend check-config --state' \
    'luna backend check-config --store-connections' \
    'luna backend check-config --store-queue' \
    'luna backend check-config --color' \
    'luna backend check-config --config' \
    'luna backend settings --format' \
    'luna backend settings --store' \
    'luna backend settings --state' \
    'luna backend settings --color' \
    'luna backend settings --config' \
    'luna fleet --color' \
    'luna fleet --config' \
    'luna fleet list --search' \
    'luna fleet list --sort' \
    'luna fleet list --format' \
    'luna fleet list --backend' \
    'luna fleet list --token-file' \
    'luna fleet list --ca-file' \
    'luna fleet list --proxy' \
    'luna fleet list --sign-in' \
    'luna fleet list --account-refusal' \
    'luna fleet list --state' \
    'luna fleet list --color' \
    'luna fleet list --config' \
    'luna fleet show --format' \
    'luna fleet show --backend' \
    'luna fleet show --token-file' \
    'luna fleet show --ca-file' \
    'luna fleet show --proxy' \
    'luna fleet show --sign-in' \
    'luna fleet show --account-refusal' \
    'luna fleet show --state' \
    'luna fleet show --color' \
    'luna fleet show --config' \
    'luna fleet add --at' \
    'luna fleet add --place' \
    'luna fleet add --site' \
    'luna fleet add --tag' \
    'luna fleet add --manufacturer' \
    'luna fleet add --note' \
    'luna fleet add --format' \
    'luna fleet add --backend' \
    'luna fleet add --token-file' \
    'luna fleet add --ca-file' \
    'luna fleet add --proxy' \
    'luna fleet add --sign-in' \
    'luna fleet add --account-refusal' \
    'luna fleet add --state' \
    'luna fleet add --color' \
    'luna fleet add --config' \
    'luna fleet edit --name' \
    'luna fleet edit --at' \
    'luna fleet edit --place' \
    'luna fleet edit --site' \
    'luna fleet edit --tag' \
    'luna fleet edit --manufacturer' \
    'luna fleet edit --note' \
    'luna fleet edit --untag' \
    'luna fleet edit --picture' \
    'luna fleet edit --format' \
    'luna fleet edit --backend' \
    'luna fleet edit --token-file' \
    'luna fleet edit --ca-file' \
    'luna fleet edit --proxy' \
    'luna fleet edit --sign-in' \
    'luna fleet edit --account-refusal' \
    'luna fleet edit --state' \
    'luna fleet edit --color' \
    'luna fleet edit --config' \
    'luna fleet remove --format' \
    'luna fleet remove --backend' \
    'luna fleet remove --token-file' \
    'luna fleet remove --ca-file' \
    'luna fleet remove --proxy' \
    'luna fleet remove --sign-in' \
    'luna fleet remove --account-refusal' \
    'luna fleet remove --state' \
    'luna fleet remove --color' \
    'luna fleet remove --config' \
    'luna fleet undo --format' \
    'luna fleet undo --backend' \
    'luna fleet undo --token-file' \
    'luna fleet undo --ca-file' \
    'luna fleet undo --proxy' \
    'luna fleet undo --sign-in' \
    'luna fleet undo --account-refusal' \
    'luna fleet undo --state' \
    'luna fleet undo --color' \
    'luna fleet undo --config' \
    'luna fleet enroll --qr' \
    'luna fleet enroll --record' \
    'luna fleet enroll --name' \
    'luna fleet enroll --at' \
    'luna fleet enroll --format' \
    'luna fleet enroll --backend' \
    'luna fleet enroll --token-file' \
    'luna fleet enroll --ca-file' \
    'luna fleet enroll --proxy' \
    'luna fleet enroll --sign-in' \
    'luna fleet enroll --account-refusal' \
    'luna fleet enroll --state' \
    'luna fleet enroll --color' \
    'luna fleet enroll --config' \
    'luna fleet label -o' \
    'luna fleet label --output' \
    'luna fleet label --format' \
    'luna fleet label --backend' \
    'luna fleet label --token-file' \
    'luna fleet label --ca-file' \
    'luna fleet label --proxy' \
    'luna fleet label --sign-in' \
    'luna fleet label --account-refusal' \
    'luna fleet label --state' \
    'luna fleet label --color' \
    'luna fleet label --config' \
    'luna fleet devices --approve' \
    'luna fleet devices --forget' \
    'luna fleet devices --edit' \
    'luna fleet devices --name' \
    'luna fleet devices --priority' \
    'luna fleet devices --place' \
    'luna fleet devices --manufacturer' \
    'luna fleet devices --picture' \
    'luna fleet devices --format' \
    'luna fleet devices --backend' \
    'luna fleet devices --token-file' \
    'luna fleet devices --ca-file' \
    'luna fleet devices --proxy' \
    'luna fleet devices --sign-in' \
    'luna fleet devices --account-refusal' \
    'luna fleet devices --state' \
    'luna fleet devices --color' \
    'luna fleet devices --config' \
    'luna fleet history --format' \
    'luna fleet history --backend' \
    'luna fleet history --token-file' \
    'luna fleet history --ca-file' \
    'luna fleet history --proxy' \
    'luna fleet history --sign-in' \
    'luna fleet history --account-refusal' \
    'luna fleet history --state' \
    'luna fleet history --color' \
    'luna fleet history --config' \
    'luna fleet export --search' \
    'luna fleet export --format' \
    'luna fleet export --backend' \
    'luna fleet export --token-file' \
    'luna fleet export --ca-file' \
    'luna fleet export --proxy' \
    'luna fleet export --sign-in' \
    'luna fleet export --account-refusal' \
    'luna fleet export --state' \
    'luna fleet export --color' \
    'luna fleet export --config' \
    'luna fleet import --format' \
    'luna fleet import --backend' \
    'luna fleet import --token-file' \
    'luna fleet import --ca-file' \
    'luna fleet import --proxy' \
    'luna fleet import --sign-in' \
    'luna fleet import --account-refusal' \
    'luna fleet import --state' \
    'luna fleet import --color' \
    'luna fleet import --config' \
    'luna account --color' \
    'luna account --config' \
    'luna account list --format' \
    'luna account list --store' \
    'luna account list --state' \
    'luna account list --color' \
    'luna account list --config' \
    'luna account add --role' \
    'luna account add --public-url' \
    'luna account add --format' \
    'luna account add --store' \
    'luna account add --state' \
    'luna account add --color' \
    'luna account add --config' \
    'luna account edit --role' \
    'luna account edit --public-url' \
    'luna account edit --format' \
    'luna account edit --store' \
    'luna account edit --state' \
    'luna account edit --color' \
    'luna account edit --config' \
    'luna account remove --store' \
    'luna account remove --state' \
    'luna account remove --color' \
    'luna account remove --config' \
    'luna account link --issuer' \
    'luna account link --subject' \
    'luna account link --store' \
    'luna account link --state' \
    'luna account link --color' \
    'luna account link --config' \
    'luna account sessions --format' \
    'luna account sessions --store' \
    'luna account sessions --state' \
    'luna account sessions --color' \
    'luna account sessions --config' \
    'luna account approve --account' \
    'luna account approve --key' \
    'luna account approve --format' \
    'luna account approve --store' \
    'luna account approve --state' \
    'luna account approve --color' \
    'luna account approve --config' \
    'luna login --backend' \
    'luna login --issuer' \
    'luna login --client-id' \
    'luna login --device-endpoint' \
    'luna login --as' \
    'luna login --scope' \
    'luna login --redirect-port' \
    'luna login --profile' \
    'luna login --account-refusal' \
    'luna login --state' \
    'luna login --ca-file' \
    'luna login --proxy' \
    'luna login --format' \
    'luna login --color' \
    'luna login --config' \
    'luna logout --profile' \
    'luna logout --account-refusal' \
    'luna logout --state' \
    'luna logout --ca-file' \
    'luna logout --proxy' \
    'luna logout --color' \
    'luna logout --config' \
    'luna whoami --backend' \
    'luna whoami --profile' \
    'luna whoami --account-refusal' \
    'luna whoami --state' \
    'luna whoami --ca-file' \
    'luna whoami --proxy' \
    'luna whoami --format' \
    'luna whoami --color' \
    'luna whoami --config' \
    'luna token --color' \
    'luna token --config' \
    'luna token show --mode' \
    'luna token show --format' \
    'luna token show --profile' \
    'luna token show --account-refusal' \
    'luna token show --state' \
    'luna token show --ca-file' \
    'luna token show --proxy' \
    'luna token show --color' \
    'luna token show --config' \
    'luna token refresh --profile' \
    'luna token refresh --account-refusal' \
    'luna token refresh --state' \
    'luna token refresh --ca-file' \
    'luna token refresh --proxy' \
    'luna token refresh --color' \
    'luna token refresh --config' \
    'luna telemetry --color' \
    'luna telemetry --config' \
    'luna telemetry status --format' \
    'luna telemetry status --state' \
    'luna telemetry status --color' \
    'luna telemetry status --config' \
    'luna telemetry flush --format' \
    'luna telemetry flush --backend' \
    'luna telemetry flush --token-file' \
    'luna telemetry flush --ca-file' \
    'luna telemetry flush --proxy' \
    'luna telemetry flush --sign-in' \
    'luna telemetry flush --account-refusal' \
    'luna telemetry flush --telemetry-root' \
    'luna telemetry flush --telemetry-mode' \
    'luna telemetry flush --when-signed-out' \
    'luna telemetry flush --state' \
    'luna telemetry flush --color' \
    'luna telemetry flush --config' \
    'luna telemetry log --telemetry-root' \
    'luna telemetry log --state' \
    'luna telemetry log --color' \
    'luna telemetry log --config' \
    'luna telemetry time --telemetry-root' \
    'luna telemetry time --state' \
    'luna telemetry time --color' \
    'luna telemetry time --config' \
    'luna telemetry clear --format' \
    'luna telemetry clear --state' \
    'luna telemetry clear --color' \
    'luna telemetry clear --config' \
    'luna home --color' \
    'luna home --config' \
    'luna home run --format' \
    'luna home run --speed' \
    'luna home run --epoch' \
    'luna home run --state' \
    'luna home run --passphrase-file' \
    'luna home run --color' \
    'luna home run --config' \
    'luna home init --state' \
    'luna home init --passphrase-file' \
    'luna home init --color' \
    'luna home init --config' \
    'luna home check --format' \
    'luna home check --color' \
    'luna home check --config' \
    'luna home show --state' \
    'luna home show --format' \
    'luna home show --color' \
    'luna home show --config' \
    'luna home schema --format' \
    'luna home schema --color' \
    'luna home schema --config' \
    'luna home migrate --color' \
    'luna home migrate --config' \
    'luna home do --state' \
    'luna home do --format' \
    'luna home do --color' \
    'luna home do --config' \
    'luna home link --state' \
    'luna home link --format' \
    'luna home link --color' \
    'luna home link --config' \
    'luna home account --color' \
    'luna home account --config' \
    'luna home account list --state' \
    'luna home account list --format' \
    'luna home account list --color' \
    'luna home account list --config' \
    'luna home account add --role' \
    'luna home account add --state' \
    'luna home account add --format' \
    'luna home account add --color' \
    'luna home account add --config' \
    'luna home account invite --trackers' \
    'luna home account invite --see' \
    'luna home account invite --until' \
    'luna home account invite --state' \
    'luna home account invite --format' \
    'luna home account invite --color' \
    'luna home account invite --config' \
    'luna home account edit --role' \
    'luna home account edit --trackers' \
    'luna home account edit --see' \
    'luna home account edit --until' \
    'luna home account edit --state' \
    'luna home account edit --format' \
    'luna home account edit --color' \
    'luna home account edit --config' \
    'luna home account reset --state' \
    'luna home account reset --format' \
    'luna home account reset --color' \
    'luna home account reset --config' \
    'luna home account remove --state' \
    'luna home account remove --format' \
    'luna home account remove --color' \
    'luna home account remove --config' \
    'luna home account token --color' \
    'luna home account token --config' \
    'luna home account token add --role' \
    'luna home account token add --state' \
    'luna home account token add --format' \
    'luna home account token add --color' \
    'luna home account token add --config' \
    'luna home account token list --state' \
    'luna home account token list --format' \
    'luna home account token list --color' \
    'luna home account token list --config' \
    'luna home account token revoke --state' \
    'luna home account token revoke --format' \
    'luna home account token revoke --color' \
    'luna home account token revoke --config' \
    'luna home export --day' \
    'luna home export -o' \
    'luna home export --output' \
    'luna home export --state' \
    'luna home export --color' \
    'luna home export --config' \
    'luna rule --color' \
    'luna rule --config' \
    'luna rule list --file' \
    'luna rule list --count' \
    'luna rule list --format' \
    'luna rule list --color' \
    'luna rule list --config' \
    'luna rule test --replay' \
    'luna rule test --who' \
    'luna rule test --from' \
    'luna rule test --to' \
    'luna rule test --expect' \
    'luna rule test --file' \
    'luna rule test --state' \
    'luna rule test --passphrase-file' \
    'luna rule test --format' \
    'luna rule test --color' \
    'luna rule test --config' \
    'luna rule why --at' \
    'luna rule why --count' \
    'luna rule why --state' \
    'luna rule why --format' \
    'luna rule why --color' \
    'luna rule why --config' \
    'luna rule snooze --for' \
    'luna rule snooze --state' \
    'luna rule snooze --color' \
    'luna rule snooze --config' \
    'luna rule run --state' \
    'luna rule run --color' \
    'luna rule run --config' \
    'luna notify --color' \
    'luna notify --config' \
    'luna notify test --file' \
    'luna notify test --format' \
    'luna notify test --state' \
    'luna notify test --color' \
    'luna notify test --config' \
    'luna notify list --state' \
    'luna notify list --format' \
    'luna notify list --color' \
    'luna notify list --config' \
    'luna notify retry --state' \
    'luna notify retry --color' \
    'luna notify retry --config' \
    'luna contact --color' \
    'luna contact --config' \
    'luna contact card --name' \
    'luna contact card -o' \
    'luna contact card --output' \
    'luna contact card --format' \
    'luna contact card --state' \
    'luna contact card --passphrase-file' \
    'luna contact card --color' \
    'luna contact card --config' \
    'luna contact add --email' \
    'luna contact add --card' \
    'luna contact add --format' \
    'luna contact add --state' \
    'luna contact add --passphrase-file' \
    'luna contact add --color' \
    'luna contact add --config' \
    'luna contact list --format' \
    'luna contact list --state' \
    'luna contact list --passphrase-file' \
    'luna contact list --color' \
    'luna contact list --config' \
    'luna contact verify --format' \
    'luna contact verify --state' \
    'luna contact verify --passphrase-file' \
    'luna contact verify --color' \
    'luna contact verify --config' \
    'luna contact remove --state' \
    'luna contact remove --passphrase-file' \
    'luna contact remove --color' \
    'luna contact remove --config' \
    'luna share --color' \
    'luna share --config' \
    'luna share add --with' \
    'luna share add --days' \
    'luna share add --until' \
    'luna share add --past' \
    'luna share add --rights' \
    'luna share add --ring-seconds' \
    'luna share add --rings' \
    'luna share add --backend' \
    'luna share add -o' \
    'luna share add --output' \
    'luna share add --format' \
    'luna share add --state' \
    'luna share add --passphrase-file' \
    'luna share add --color' \
    'luna share add --config' \
    'luna share list --format' \
    'luna share list --state' \
    'luna share list --passphrase-file' \
    'luna share list --color' \
    'luna share list --config' \
    'luna share show --format' \
    'luna share show --state' \
    'luna share show --passphrase-file' \
    'luna share show --color' \
    'luna share show --config' \
    'luna share renew --days' \
    'luna share renew --backend' \
    'luna share renew -o' \
    'luna share renew --output' \
    'luna share renew --format' \
    'luna share renew --state' \
    'luna share renew --passphrase-file' \
    'luna share renew --color' \
    'luna share renew --config' \
    'luna share end -o' \
    'luna share end --output' \
    'luna share end --format' \
    'luna share end --state' \
    'luna share end --passphrase-file' \
    'luna share end --color' \
    'luna share end --config' \
    'luna share import --backend' \
    'luna share import --format' \
    'luna share import --state' \
    'luna share import --passphrase-file' \
    'luna share import --color' \
    'luna share import --config' \
    'luna share inspect --backend' \
    'luna share inspect --format' \
    'luna share inspect --state' \
    'luna share inspect --passphrase-file' \
    'luna share inspect --color' \
    'luna share inspect --config' \
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
    'luna tracker list --format' \
    'luna tracker list --state' \
    'luna tracker list --color' \
    'luna tracker list --config' \
    'luna tracker export --radio' \
    'luna tracker export --state' \
    'luna tracker export --color' \
    'luna tracker export --config' \
    'luna tracker label -o' \
    'luna tracker label --output' \
    'luna tracker label --code-file' \
    'luna tracker label --state' \
    'luna tracker label --color' \
    'luna tracker label --config' \
    'luna tracker reset --state' \
    'luna tracker reset --color' \
    'luna tracker reset --config' \
    'luna demo --picture' \
    'luna demo --keep' \
    'luna demo --speed' \
    'luna demo --format' \
    'luna demo --color' \
    'luna demo --config' \
    'luna doctor --location' \
    'luna doctor -i' \
    'luna doctor --adapter' \
    'luna doctor --radio' \
    'luna doctor -T' \
    'luna doctor --duration' \
    'luna doctor --backend' \
    'luna doctor --token-file' \
    'luna doctor --ca-file' \
    'luna doctor --proxy' \
    'luna doctor --state' \
    'luna doctor --format' \
    'luna doctor --color' \
    'luna doctor --config' \
    'luna setup --color' \
    'luna setup --config' \
    'luna setup gateway --code-file' \
    'luna setup gateway --location' \
    'luna setup gateway -i' \
    'luna setup gateway --adapter' \
    'luna setup gateway --duty' \
    'luna setup gateway --directory' \
    'luna setup gateway --backend' \
    'luna setup gateway --token-file' \
    'luna setup gateway --ca-file' \
    'luna setup gateway --proxy' \
    'luna setup gateway --color' \
    'luna setup gateway --config' \
    'luna config --color' \
    'luna config --config' \
    'luna config show --format' \
    'luna config show --color' \
    'luna config show --config' \
    'luna config check --format' \
    'luna config check --color' \
    'luna config check --config' \
    'luna adapters --format' \
    'luna adapters --color' \
    'luna adapters --config' \
    'luna capture --rotate' \
    'luna capture --keep' \
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
    'luna decode --format' \
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
    'luna uplink --color' \
    'luna uplink --config' \
    'luna uplink consent --format' \
    'luna uplink consent --state' \
    'luna uplink consent --color' \
    'luna uplink consent --config' \
    'luna uplink profiles --format' \
    'luna uplink profiles --color' \
    'luna uplink profiles --config' \
    'luna uplink record --to' \
    'luna uplink record --uploads' \
    'luna uplink record --directory' \
    'luna uplink record --backend' \
    'luna uplink record --token-file' \
    'luna uplink record --ca-file' \
    'luna uplink record --proxy' \
    'luna uplink record --format' \
    'luna uplink record --state' \
    'luna uplink record --color' \
    'luna uplink record --config' \
    'luna uplink check --rule' \
    'luna uplink check --area' \
    'luna uplink check --p-value' \
    'luna uplink check --ratio' \
    'luna uplink check --user-id' \
    'luna uplink check --history-count' \
    'luna uplink check --extra-string' \
    'luna uplink check --buckets' \
    'luna uplink check --profiles' \
    'luna uplink check --direction' \
    'luna uplink check --control-name' \
    'luna uplink check --pairs' \
    'luna uplink check --simulate' \
    'luna uplink check --slowdown' \
    'luna uplink check --power' \
    'luna uplink check --server' \
    'luna uplink check --backend' \
    'luna uplink check --token-file' \
    'luna uplink check --ca-file' \
    'luna uplink check --ports' \
    'luna uplink check --locate-url' \
    'luna uplink check --site' \
    'luna uplink check --budget' \
    'luna uplink check --budget-metered' \
    'luna uplink check --monthly' \
    'luna uplink check --monthly-metered' \
    'luna uplink check --metered' \
    'luna uplink check --format' \
    'luna uplink check --state' \
    'luna uplink check --color' \
    'luna uplink check --config' \
    'luna uplink locate --pair' \
    'luna uplink locate --control-name' \
    'luna uplink locate --simulate' \
    'luna uplink locate --mwu-p-value' \
    'luna uplink locate --correlation-p-value' \
    'luna uplink locate --correlation-share' \
    'luna uplink locate --rule' \
    'luna uplink locate --area' \
    'luna uplink locate --p-value' \
    'luna uplink locate --ratio' \
    'luna uplink locate --user-id' \
    'luna uplink locate --history-count' \
    'luna uplink locate --extra-string' \
    'luna uplink locate --buckets' \
    'luna uplink locate --server' \
    'luna uplink locate --backend' \
    'luna uplink locate --token-file' \
    'luna uplink locate --ca-file' \
    'luna uplink locate --ports' \
    'luna uplink locate --locate-url' \
    'luna uplink locate --site' \
    'luna uplink locate --budget' \
    'luna uplink locate --budget-metered' \
    'luna uplink locate --monthly' \
    'luna uplink locate --monthly-metered' \
    'luna uplink locate --metered' \
    'luna uplink locate --format' \
    'luna uplink locate --state' \
    'luna uplink locate --color' \
    'luna uplink locate --config' \
    'luna uplink dpi --control-name' \
    'luna uplink dpi --other-port' \
    'luna uplink dpi --simulate' \
    'luna uplink dpi --server' \
    'luna uplink dpi --backend' \
    'luna uplink dpi --token-file' \
    'luna uplink dpi --ca-file' \
    'luna uplink dpi --ports' \
    'luna uplink dpi --locate-url' \
    'luna uplink dpi --site' \
    'luna uplink dpi --budget' \
    'luna uplink dpi --budget-metered' \
    'luna uplink dpi --monthly' \
    'luna uplink dpi --monthly-metered' \
    'luna uplink dpi --metered' \
    'luna uplink dpi --format' \
    'luna uplink dpi --state' \
    'luna uplink dpi --color' \
    'luna uplink dpi --config' \
    'luna uplink serve --listen' \
    'luna uplink serve --tls-cert' \
    'luna uplink serve --tls-key' \
    'luna uplink serve --token-file' \
    'luna uplink serve --recordings' \
    'luna uplink serve --ports' \
    'luna uplink serve --pair' \
    'luna uplink serve --variations' \
    'luna uplink serve --ca-file' \
    'luna uplink serve --color' \
    'luna uplink serve --config' \
    'luna uplink settings --format' \
    'luna uplink settings --color' \
    'luna uplink settings --config' \
    'luna uplink results --as' \
    'luna uplink results --format' \
    'luna uplink results --state' \
    'luna uplink results --color' \
    'luna uplink results --config' \
    'luna uplink results judge --rule' \
    'luna uplink results judge --single' \
    'luna uplink results judge --variations' \
    'luna uplink results judge --format' \
    'luna uplink results judge --color' \
    'luna uplink results judge --config' \
    'luna uplink results import --format' \
    'luna uplink results import --state' \
    'luna uplink results import --color' \
    'luna uplink results import --config' \
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
complete -c luna -n '__luna_at \'luna\' 0' -a watch -d 'Find trackers of others that stay with you.'
complete -c luna -n '__luna_at \'luna\' 0' -a onboard -d 'Make a tracker your own.'
complete -c luna -n '__luna_at \'luna\' 0' -a buzz -d 'Make a tracker sound.'
complete -c luna -n '__luna_at \'luna\' 0' -a identify -d 'Ask a tracker of any maker what it is.'
complete -c luna -n '__luna_at \'luna\' 0' -a owner -d 'List your devices, see where they were, and control them from afar.'
complete -c luna -n '__luna_at \'luna\' 0' -a finder -d 'Report trackers to their owners, and deliver the owners\' commands.'
complete -c luna -n '__luna_at \'luna\' 0' -a backend -d 'Serve the Luna API: take events from gateways and give them to owners.'
complete -c luna -n '__luna_at \'luna\' 0' -a fleet -d 'Look after the gateways of a backend.'
complete -c luna -n '__luna_at \'luna\' 0' -a account -d 'Look after the accounts of a backend.'
complete -c luna -n '__luna_at \'luna\' 0' -a login -d 'Sign in at a backend, or at an issuer that it trusts.'
complete -c luna -n '__luna_at \'luna\' 0' -a logout -d 'Sign out: here, and at the issuer.'
complete -c luna -n '__luna_at \'luna\' 0' -a whoami -d 'Show who is signed in, until when, and where the credential is.'
complete -c luna -n '__luna_at \'luna\' 0' -a token -d 'Show or renew the token of who is signed in.'
complete -c luna -n '__luna_at \'luna\' 0' -a telemetry -d 'See, send and add to what Luna records of itself.'
complete -c luna -n '__luna_at \'luna\' 0' -a home -d 'Run a home of your own, and check and write its file.'
complete -c luna -n '__luna_at \'luna\' 0' -a rule -d 'List, test, run and explain the rules of a home.'
complete -c luna -n '__luna_at \'luna\' 0' -a notify -d 'Test how people are told, and list what waits.'
complete -c luna -n '__luna_at \'luna\' 0' -a contact -d 'Keep the contact cards with which trackers are shared.'
complete -c luna -n '__luna_at \'luna\' 0' -a share -d 'Share a tracker for a time, and take what others share.'
complete -c luna -n '__luna_at \'luna\' 0' -a tracker -d 'Run trackers in software that behave like real ones.'
complete -c luna -n '__luna_at \'luna\' 0' -a demo -d 'Show everything on one machine, with no adapter and no network.'
complete -c luna -n '__luna_at \'luna\' 0' -a doctor -d 'Find out what stops a scan, a connection or a gateway, and what to do.'
complete -c luna -n '__luna_at \'luna\' 0' -a setup -d 'Set up what runs on this machine for years.'
complete -c luna -n '__luna_at \'luna\' 0' -a config -d 'Show and check what configuration files and the environment say.'
complete -c luna -n '__luna_at \'luna\' 0' -a adapters -d 'List the Bluetooth adapters and what each can do.'
complete -c luna -n '__luna_at \'luna\' 0' -a capture -d 'Record advertisements to a file, without decoding them.'
complete -c luna -n '__luna_at \'luna\' 0' -a decode -d 'Decode advertising data or HCI events given in hexadecimal.'
complete -c luna -n '__luna_at \'luna\' 0' -a keys -d 'Compute what a tracker advertises in given periods.'
complete -c luna -n '__luna_at \'luna\' 0' -a report -d 'Seal and open location reports.'
complete -c luna -n '__luna_at \'luna\' 0' -a uplink -d 'Judge whether a network treats traffic alike.'
complete -c luna -n '__luna_at \'luna\' 0' -a selftest -d 'Check this build\'s protocol and cryptography against test vectors.'
complete -c luna -n '__luna_at \'luna\' 0' -a completions -d 'Print a script that makes a shell complete luna\'s command line.'
complete -c luna -n '__luna_at \'luna\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna\'' -l version -d 'Show the version'
complete -c luna -n '__luna_at \'luna scan\'' -l trackers -d 'Show only beacons and trackers of known families'
complete -c luna -n '__luna_at \'luna scan\'' -l filter -x -d 'Show only advertisements that match EXPR'
complete -c luna -n '__luna_at \'luna scan\'' -l min-rssi -x -d 'Show only advertisements at least as strong as DBM'
complete -c luna -n '__luna_at \'luna scan\'' -l fields -x -d 'Show only these fields (JSON lines) or columns (CSV)'
complete -c luna -n '__luna_at \'luna scan\'' -l summary -d 'Show one line per advertiser at the end'
complete -c luna -n '__luna_at \'luna scan\'' -l by -x -a 'address family company' -d 'Make one line at the end of each address, family or company'
complete -c luna -n '__luna_at \'luna scan\'' -l list-values -x -d 'Only list the values that FIELD can have'
complete -c luna -n '__luna_at \'luna scan\'' -l format -x -a 'table jsonl csv' -d 'table, jsonl or csv'
complete -c luna -n '__luna_at \'luna scan\'' -s i -l adapter -x -d 'Listen on this adapter'
complete -c luna -n '__luna_at \'luna scan\'' -l radio -x -a 'auto\\tthe\\ best\\ that\\ permissions\\ allow observe\\tthe\\ kernel\\\'s\\ monitor\\ channel\\,\\ alongside\\ bluetoothd mgmt\\tthe\\ kernel\\\'s\\ management\\ interface dbus\\tbluetoothd\\\'s\\ discovery\\;\\ needs\\ no\\ privilege exclusive\\ttake\\ the\\ adapter\\ away\\ from\\ all\\ other\\ programs h4:\\tan\\ HCI\\ controller\\ behind\\ TCP\\,\\ a\\ socket\\ or\\ a\\ serial\\ line virtual\\ta\\ simulated\\ room\\;\\ needs\\ no\\ adapter' -d 'How to listen; h4: takes tcp:HOST:PORT or a path, virtual: takes a seed'
complete -c luna -n '__luna_at \'luna scan\'' -s r -l read -r -F -d 'Read a capture (btsnoop, pcap, pcapng); - is standard input'
complete -c luna -n '__luna_at \'luna scan\'' -l realtime -d 'With --read: play at the recorded pace'
complete -c luna -n '__luna_at \'luna scan\'' -s w -l write -r -F -d 'Record what is heard (.btsnoop or .pcapng)'
complete -c luna -n '__luna_at \'luna scan\'' -l force -d 'With --write: overwrite an existing file'
complete -c luna -n '__luna_at \'luna scan\'' -s T -l duration -x -d 'Stop after TIME (10s, 5m, 1h), or at TIME (15:00)'
complete -c luna -n '__luna_at \'luna scan\'' -s c -l count -x -d 'Stop after showing N advertisements'
complete -c luna -n '__luna_at \'luna scan\'' -l active -d 'Request scan responses from advertisers'
complete -c luna -n '__luna_at \'luna scan\'' -l passive -d 'Only listen; transmit nothing'
complete -c luna -n '__luna_at \'luna scan\'' -l phy -x -a '(__luna_list 1m coded)' -d 'Primary PHYs to listen on: 1m, coded'
complete -c luna -n '__luna_at \'luna scan\'' -l metrics -x -d 'Serve numbers for Prometheus at /metrics'
complete -c luna -n '__luna_at \'luna scan\'' -l speed -x -d 'Run protocol time N times faster; needs --epoch'
complete -c luna -n '__luna_at \'luna scan\'' -l epoch -x -d 'When protocol time equals real time, the same for all programs of a test: 2026-11-21 10:00, yesterday, yesterday 09:00, 15:00 (today), 24h (so long ago)'
complete -c luna -n '__luna_at \'luna scan\'' -l utc -d 'Times are in UTC, not local'
complete -c luna -n '__luna_at \'luna scan\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna scan\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna scan\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna scan\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna scan\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna local\'' -l format -x -a 'table jsonl' -d 'table or jsonl'
complete -c luna -n '__luna_at \'luna local\'' -l timeout -x -d 'Consider a device silent after TIME'
complete -c luna -n '__luna_at \'luna local\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna local\'' -l passphrase-file -r -F -d 'Read the passphrase for sealed keys from FILE; - is standard input'
complete -c luna -n '__luna_at \'luna local\'' -s i -l adapter -x -d 'Listen on this adapter'
complete -c luna -n '__luna_at \'luna local\'' -l radio -x -a 'auto\\tthe\\ best\\ that\\ permissions\\ allow observe\\tthe\\ kernel\\\'s\\ monitor\\ channel\\,\\ alongside\\ bluetoothd mgmt\\tthe\\ kernel\\\'s\\ management\\ interface dbus\\tbluetoothd\\\'s\\ discovery\\;\\ needs\\ no\\ privilege exclusive\\ttake\\ the\\ adapter\\ away\\ from\\ all\\ other\\ programs h4:\\tan\\ HCI\\ controller\\ behind\\ TCP\\,\\ a\\ socket\\ or\\ a\\ serial\\ line virtual\\ta\\ simulated\\ room\\;\\ needs\\ no\\ adapter' -d 'How to listen; h4: takes tcp:HOST:PORT or a path, virtual: takes a seed'
complete -c luna -n '__luna_at \'luna local\'' -s r -l read -r -F -d 'Read a capture (btsnoop, pcap, pcapng); - is standard input'
complete -c luna -n '__luna_at \'luna local\'' -l realtime -d 'With --read: play at the recorded pace'
complete -c luna -n '__luna_at \'luna local\'' -s w -l write -r -F -d 'Record what is heard (.btsnoop or .pcapng)'
complete -c luna -n '__luna_at \'luna local\'' -l force -d 'With --write: overwrite an existing file'
complete -c luna -n '__luna_at \'luna local\'' -s T -l duration -x -d 'Stop after TIME (10s, 5m, 1h), or at TIME (15:00)'
complete -c luna -n '__luna_at \'luna local\'' -s c -l count -x -d 'Stop after showing N advertisements'
complete -c luna -n '__luna_at \'luna local\'' -l active -d 'Request scan responses from advertisers'
complete -c luna -n '__luna_at \'luna local\'' -l passive -d 'Only listen; transmit nothing'
complete -c luna -n '__luna_at \'luna local\'' -l phy -x -a '(__luna_list 1m coded)' -d 'Primary PHYs to listen on: 1m, coded'
complete -c luna -n '__luna_at \'luna local\'' -l mqtt -x -d 'Tell a broker, mqtt[s]://[USER@]HOST[:PORT][/PREFIX]'
complete -c luna -n '__luna_at \'luna local\'' -l mqtt-password-file -r -F -d 'Read the password of USER from FILE'
complete -c luna -n '__luna_at \'luna local\'' -l mqtt-ca-file -r -F -d 'With mqtts: trust the authorities in FILE (PEM)'
complete -c luna -n '__luna_at \'luna local\'' -l mqtt-certificate -r -F -d 'With mqtts: this client\'s certificate (PEM)'
complete -c luna -n '__luna_at \'luna local\'' -l mqtt-key -r -F -d 'With mqtts: the key of the certificate'
complete -c luna -n '__luna_at \'luna local\'' -l mqtt-discovery -x -d 'Where Home Assistant looks for devices; off for nowhere'
complete -c luna -n '__luna_at \'luna local\'' -l exec -x -d 'Run COMMAND by sh for each event, which is in its environment'
complete -c luna -n '__luna_at \'luna local\'' -l exec-on -x -a '(__luna_list appeared seen rotated timedOut drift batteryLow)' -d 'Run it for these events'
complete -c luna -n '__luna_at \'luna local\'' -l webhook -x -d 'Post each event to URL, a JSON object'
complete -c luna -n '__luna_at \'luna local\'' -l webhook-on -x -a '(__luna_list appeared seen rotated timedOut drift batteryLow)' -d 'Post these events'
complete -c luna -n '__luna_at \'luna local\'' -l webhook-token-file -r -F -d 'Send the token in FILE along (Authorization: Bearer)'
complete -c luna -n '__luna_at \'luna local\'' -l webhook-ca-file -r -F -d 'Trust the authorities in FILE (PEM)'
complete -c luna -n '__luna_at \'luna local\'' -l webhook-allow-plain-http -d 'Post over plain http to other machines, too'
complete -c luna -n '__luna_at \'luna local\'' -l allow -x -d 'This device, by uuid or name, and no others that are not named'
complete -c luna -n '__luna_at \'luna local\'' -l deny -x -d 'Not this device, whatever --allow says'
complete -c luna -n '__luna_at \'luna local\'' -l metrics -x -d 'Serve numbers for Prometheus at /metrics'
complete -c luna -n '__luna_at \'luna local\'' -l speed -x -d 'Run protocol time N times faster; needs --epoch'
complete -c luna -n '__luna_at \'luna local\'' -l epoch -x -d 'When protocol time equals real time, the same for all programs of a test: 2026-11-21 10:00, yesterday, yesterday 09:00, 15:00 (today), 24h (so long ago)'
complete -c luna -n '__luna_at \'luna local\'' -l utc -d 'Times are in UTC, not local'
complete -c luna -n '__luna_at \'luna local\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna local\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna local\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna local\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna local\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna watch\' 0' -a list -d 'List the trackers that stayed with a home, and those that are known.'
complete -c luna -n '__luna_at \'luna watch\' 0' -a show -d 'Show what speaks for a tracker\'s staying with a home.'
complete -c luna -n '__luna_at \'luna watch\' 0' -a mark -d 'Say that a tracker is yours, somebody\'s whom you know, or a false alarm.'
complete -c luna -n '__luna_at \'luna watch\'' -l track -r -F -d 'Where a recording was made: GPX or GeoJSON'
complete -c luna -n '__luna_at \'luna watch\'' -l location -x -a 'static:\\ta\\ fixed\\ place gpsd\\ta\\ satellite\\ receiver geoclue\\tthe\\ system\\\'s\\ location\\ service' -d 'Where you are: static:LAT,LON, gpsd[:HOST:PORT] or geoclue'
complete -c luna -n '__luna_at \'luna watch\'' -l sensitivity -x -a 'low medium high' -d 'How soon there is an alarm: low, medium or high'
complete -c luna -n '__luna_at \'luna watch\'' -l without -x -a 'bothEnds chain crowd noLinkAtEdges nearOwner stayed confidence shortLived signal' -d 'Leave out a rule, to see what it is worth'
complete -c luna -n '__luna_at \'luna watch\'' -l format -x -a 'table jsonl' -d 'table or jsonl'
complete -c luna -n '__luna_at \'luna watch\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna watch\'' -l passphrase-file -r -F -d 'Read the passphrase for sealed keys from FILE; - is standard input'
complete -c luna -n '__luna_at \'luna watch\'' -s i -l adapter -x -d 'Listen on this adapter'
complete -c luna -n '__luna_at \'luna watch\'' -l radio -x -a 'auto\\tthe\\ best\\ that\\ permissions\\ allow observe\\tthe\\ kernel\\\'s\\ monitor\\ channel\\,\\ alongside\\ bluetoothd mgmt\\tthe\\ kernel\\\'s\\ management\\ interface dbus\\tbluetoothd\\\'s\\ discovery\\;\\ needs\\ no\\ privilege exclusive\\ttake\\ the\\ adapter\\ away\\ from\\ all\\ other\\ programs h4:\\tan\\ HCI\\ controller\\ behind\\ TCP\\,\\ a\\ socket\\ or\\ a\\ serial\\ line virtual\\ta\\ simulated\\ room\\;\\ needs\\ no\\ adapter' -d 'How to listen; h4: takes tcp:HOST:PORT or a path, virtual: takes a seed'
complete -c luna -n '__luna_at \'luna watch\'' -s r -l read -r -F -d 'Read a capture (btsnoop, pcap, pcapng); - is standard input'
complete -c luna -n '__luna_at \'luna watch\'' -l realtime -d 'With --read: play at the recorded pace'
complete -c luna -n '__luna_at \'luna watch\'' -s w -l write -r -F -d 'Record what is heard (.btsnoop or .pcapng)'
complete -c luna -n '__luna_at \'luna watch\'' -l force -d 'With --write: overwrite an existing file'
complete -c luna -n '__luna_at \'luna watch\'' -s T -l duration -x -d 'Stop after TIME (10s, 5m, 1h), or at TIME (15:00)'
complete -c luna -n '__luna_at \'luna watch\'' -s c -l count -x -d 'Stop after showing N advertisements'
complete -c luna -n '__luna_at \'luna watch\'' -l active -d 'Request scan responses from advertisers'
complete -c luna -n '__luna_at \'luna watch\'' -l passive -d 'Only listen; transmit nothing'
complete -c luna -n '__luna_at \'luna watch\'' -l phy -x -a '(__luna_list 1m coded)' -d 'Primary PHYs to listen on: 1m, coded'
complete -c luna -n '__luna_at \'luna watch\'' -l speed -x -d 'Run protocol time N times faster; needs --epoch'
complete -c luna -n '__luna_at \'luna watch\'' -l epoch -x -d 'When protocol time equals real time, the same for all programs of a test: 2026-11-21 10:00, yesterday, yesterday 09:00, 15:00 (today), 24h (so long ago)'
complete -c luna -n '__luna_at \'luna watch\'' -l utc -d 'Times are in UTC, not local'
complete -c luna -n '__luna_at \'luna watch\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna watch\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna watch\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna watch\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna watch\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna watch list\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna watch list\'' -l format -x -a 'table jsonl csv' -d 'table, jsonl or csv'
complete -c luna -n '__luna_at \'luna watch list\'' -l utc -d 'Times are in UTC, not local'
complete -c luna -n '__luna_at \'luna watch list\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna watch list\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna watch list\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna watch list\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna watch list\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna watch show\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna watch show\'' -l format -x -a 'table jsonl' -d 'table or jsonl'
complete -c luna -n '__luna_at \'luna watch show\'' -l utc -d 'Times are in UTC, not local'
complete -c luna -n '__luna_at \'luna watch show\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna watch show\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna watch show\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna watch show\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna watch show\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna watch mark\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna watch mark\'' -l format -x -a 'table jsonl' -d 'table or jsonl'
complete -c luna -n '__luna_at \'luna watch mark\'' -l utc -d 'Times are in UTC, not local'
complete -c luna -n '__luna_at \'luna watch mark\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna watch mark\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna watch mark\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna watch mark\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna watch mark\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna watch mark\' 1' -a 'mine known falseAlarm none'
complete -c luna -n '__luna_at \'luna onboard\'' -l name -x -d 'What to call it'
complete -c luna -n '__luna_at \'luna onboard\'' -l code -x -d 'The code on its label; --code-file is safer'
complete -c luna -n '__luna_at \'luna onboard\'' -l code-file -r -F -d 'Read the code from FILE; - is standard input'
complete -c luna -n '__luna_at \'luna onboard\'' -l qr -r -F -d 'Read the code from a picture of the label (with zbarimg)'
complete -c luna -n '__luna_at \'luna onboard\'' -l unauthenticated -d 'Onboard without a code, with no proof which tracker answers'
complete -c luna -n '__luna_at \'luna onboard\'' -l wait -x -d 'Wait at most TIME (5m) for the tracker to accept connections'
complete -c luna -n '__luna_at \'luna onboard\'' -s T -l duration -x -d 'Give up after TIME (5m), or at TIME (15:00), however far it has come'
complete -c luna -n '__luna_at \'luna onboard\'' -l dry-run -d 'Find the tracker and say what would happen'
complete -c luna -n '__luna_at \'luna onboard\'' -l format -x -a 'table jsonl' -d 'table or jsonl'
complete -c luna -n '__luna_at \'luna onboard\'' -s i -l adapter -x -d 'Use this adapter'
complete -c luna -n '__luna_at \'luna onboard\'' -l radio -x -a 'auto\\tthe\\ best\\ that\\ permissions\\ allow observe\\tthe\\ kernel\\\'s\\ monitor\\ channel\\,\\ alongside\\ bluetoothd mgmt\\tthe\\ kernel\\\'s\\ management\\ interface dbus\\tbluetoothd\\\'s\\ discovery\\;\\ needs\\ no\\ privilege exclusive\\ttake\\ the\\ adapter\\ away\\ from\\ all\\ other\\ programs h4:\\tan\\ HCI\\ controller\\ behind\\ TCP\\,\\ a\\ socket\\ or\\ a\\ serial\\ line virtual\\ta\\ simulated\\ room\\;\\ needs\\ no\\ adapter' -d 'How to listen and connect; h4: takes tcp:HOST:PORT or a path, virtual: takes a seed'
complete -c luna -n '__luna_at \'luna onboard\'' -l speed -x -d 'Run protocol time N times faster; needs --epoch'
complete -c luna -n '__luna_at \'luna onboard\'' -l epoch -x -d 'When protocol time equals real time, the same for all programs of a test: 2026-11-21 10:00, yesterday, yesterday 09:00, 15:00 (today), 24h (so long ago)'
complete -c luna -n '__luna_at \'luna onboard\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna onboard\'' -l passphrase-file -r -F -d 'Read the passphrase for sealed keys from FILE; - is standard input'
complete -c luna -n '__luna_at \'luna onboard\'' -l utc -d 'Times are in UTC, not local'
complete -c luna -n '__luna_at \'luna onboard\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna onboard\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna onboard\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna onboard\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna onboard\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna buzz\'' -l seconds -x -d 'How many seconds it sounds'
complete -c luna -n '__luna_at \'luna buzz\'' -l stop -d 'Stop the sound'
complete -c luna -n '__luna_at \'luna buzz\'' -l package -r -F -d 'Deliver a control package from FILE (JSON); - is standard input'
complete -c luna -n '__luna_at \'luna buzz\'' -l any -d 'Ring a tracker, even one that isn\'t yours'
complete -c luna -n '__luna_at \'luna buzz\'' -l format -x -a 'table jsonl' -d 'table or jsonl'
complete -c luna -n '__luna_at \'luna buzz\'' -s i -l adapter -x -d 'Use this adapter'
complete -c luna -n '__luna_at \'luna buzz\'' -l radio -x -a 'auto\\tthe\\ best\\ that\\ permissions\\ allow observe\\tthe\\ kernel\\\'s\\ monitor\\ channel\\,\\ alongside\\ bluetoothd mgmt\\tthe\\ kernel\\\'s\\ management\\ interface dbus\\tbluetoothd\\\'s\\ discovery\\;\\ needs\\ no\\ privilege exclusive\\ttake\\ the\\ adapter\\ away\\ from\\ all\\ other\\ programs h4:\\tan\\ HCI\\ controller\\ behind\\ TCP\\,\\ a\\ socket\\ or\\ a\\ serial\\ line virtual\\ta\\ simulated\\ room\\;\\ needs\\ no\\ adapter' -d 'How to listen and connect; h4: takes tcp:HOST:PORT or a path, virtual: takes a seed'
complete -c luna -n '__luna_at \'luna buzz\'' -s T -l duration -x -d 'Give up after TIME (30s, 5m), or at TIME (15:00)'
complete -c luna -n '__luna_at \'luna buzz\'' -l speed -x -d 'Run protocol time N times faster; needs --epoch'
complete -c luna -n '__luna_at \'luna buzz\'' -l epoch -x -d 'When protocol time equals real time, the same for all programs of a test: 2026-11-21 10:00, yesterday, yesterday 09:00, 15:00 (today), 24h (so long ago)'
complete -c luna -n '__luna_at \'luna buzz\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna buzz\'' -l passphrase-file -r -F -d 'Read the passphrase for sealed keys from FILE; - is standard input'
complete -c luna -n '__luna_at \'luna buzz\'' -l utc -d 'Times are in UTC, not local'
complete -c luna -n '__luna_at \'luna buzz\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna buzz\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna buzz\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna buzz\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna buzz\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna identify\'' -l wait -x -d 'Wait at most TIME for its button to be pressed, for its identifier'
complete -c luna -n '__luna_at \'luna identify\'' -l format -x -a 'table jsonl' -d 'table or jsonl'
complete -c luna -n '__luna_at \'luna identify\'' -s i -l adapter -x -d 'Use this adapter'
complete -c luna -n '__luna_at \'luna identify\'' -l radio -x -a 'auto\\tthe\\ best\\ that\\ permissions\\ allow observe\\tthe\\ kernel\\\'s\\ monitor\\ channel\\,\\ alongside\\ bluetoothd mgmt\\tthe\\ kernel\\\'s\\ management\\ interface dbus\\tbluetoothd\\\'s\\ discovery\\;\\ needs\\ no\\ privilege exclusive\\ttake\\ the\\ adapter\\ away\\ from\\ all\\ other\\ programs h4:\\tan\\ HCI\\ controller\\ behind\\ TCP\\,\\ a\\ socket\\ or\\ a\\ serial\\ line virtual\\ta\\ simulated\\ room\\;\\ needs\\ no\\ adapter' -d 'How to listen and connect; h4: takes tcp:HOST:PORT or a path, virtual: takes a seed'
complete -c luna -n '__luna_at \'luna identify\'' -s T -l duration -x -d 'Give up after TIME (30s, 5m), or at TIME (15:00)'
complete -c luna -n '__luna_at \'luna identify\'' -l speed -x -d 'Run protocol time N times faster; needs --epoch'
complete -c luna -n '__luna_at \'luna identify\'' -l epoch -x -d 'When protocol time equals real time, the same for all programs of a test: 2026-11-21 10:00, yesterday, yesterday 09:00, 15:00 (today), 24h (so long ago)'
complete -c luna -n '__luna_at \'luna identify\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna identify\'' -l passphrase-file -r -F -d 'Read the passphrase for sealed keys from FILE; - is standard input'
complete -c luna -n '__luna_at \'luna identify\'' -l utc -d 'Times are in UTC, not local'
complete -c luna -n '__luna_at \'luna identify\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna identify\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna identify\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna identify\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna identify\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna owner\' 0' -a list -d 'List your devices.'
complete -c luna -n '__luna_at \'luna owner\' 0' -a show -d 'Show what is known about a device.'
complete -c luna -n '__luna_at \'luna owner\' 0' -a events -d 'Fetch and open what gateways reported about a tracker.'
complete -c luna -n '__luna_at \'luna owner\' 0' -a buzz -d 'Ring a tracker that is near any gateway.'
complete -c luna -n '__luna_at \'luna owner\' 0' -a commands -d 'List the remote rings that wait at the backend, and those of the last day.'
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
complete -c luna -n '__luna_at \'luna owner\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna owner\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna owner list\'' -l where -d 'Ask the backend where gateways heard each device last'
complete -c luna -n '__luna_at \'luna owner list\'' -l format -x -a 'table jsonl csv' -d 'table, jsonl or csv'
complete -c luna -n '__luna_at \'luna owner list\'' -l backend -x -d 'The backend, https://HOST[:PORT]'
complete -c luna -n '__luna_at \'luna owner list\'' -l token-file -r -F -d 'Read the token of this owner from FILE'
complete -c luna -n '__luna_at \'luna owner list\'' -l ca-file -r -F -d 'Trust the certificates in FILE (PEM) instead of the system\'s'
complete -c luna -n '__luna_at \'luna owner list\'' -l proxy -x -d 'Use a proxy (http://HOST:PORT, socks5h://HOST:PORT); - for none'
complete -c luna -n '__luna_at \'luna owner list\'' -l allow-plain-http -d 'Allow plain http to other machines: anybody on the network path can read the token'
complete -c luna -n '__luna_at \'luna owner list\'' -l sign-in -x -d 'Use the token of who has signed in with luna login'
complete -c luna -n '__luna_at \'luna owner list\'' -l account-refusal -x -a 'lenient\\twhen\\ the\\ issuer\\ has\\ ended\\ it strict\\tat\\ every\\ answer\\ to\\ a\\ renewal\\ but\\ a\\ good\\ one' -d 'With --sign-in: when it is over without luna logout'
complete -c luna -n '__luna_at \'luna owner list\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna owner list\'' -l passphrase-file -r -F -d 'Read the passphrase for sealed keys from FILE; - is standard input'
complete -c luna -n '__luna_at \'luna owner list\'' -l utc -d 'Times are in UTC, not local'
complete -c luna -n '__luna_at \'luna owner list\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna owner list\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna owner list\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna owner list\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna owner list\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna owner show\'' -l secrets -d 'Show the keys too'
complete -c luna -n '__luna_at \'luna owner show\'' -l format -x -a 'table jsonl csv' -d 'table, jsonl or csv'
complete -c luna -n '__luna_at \'luna owner show\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna owner show\'' -l passphrase-file -r -F -d 'Read the passphrase for sealed keys from FILE; - is standard input'
complete -c luna -n '__luna_at \'luna owner show\'' -l utc -d 'Times are in UTC, not local'
complete -c luna -n '__luna_at \'luna owner show\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna owner show\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna owner show\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna owner show\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna owner show\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna owner events\'' -l from -x -d 'From when: 2026-11-21 10:00, yesterday, yesterday 09:00, 15:00 (today), 24h (so long ago)'
complete -c luna -n '__luna_at \'luna owner events\'' -l to -x -d 'Until when (not inclusive)'
complete -c luna -n '__luna_at \'luna owner events\'' -l format -x -a 'table jsonl csv gpx geojson kml svg html' -d 'table, jsonl, csv, gpx, geojson, kml, svg or html'
complete -c luna -n '__luna_at \'luna owner events\'' -l as -x -a 'json table jsonl csv gpx geojson kml svg html' -d 'The same as --format; json is jsonl'
complete -c luna -n '__luna_at \'luna owner events\'' -l backend -x -d 'The backend, https://HOST[:PORT]'
complete -c luna -n '__luna_at \'luna owner events\'' -l token-file -r -F -d 'Read the token of this owner from FILE'
complete -c luna -n '__luna_at \'luna owner events\'' -l ca-file -r -F -d 'Trust the certificates in FILE (PEM) instead of the system\'s'
complete -c luna -n '__luna_at \'luna owner events\'' -l proxy -x -d 'Use a proxy (http://HOST:PORT, socks5h://HOST:PORT); - for none'
complete -c luna -n '__luna_at \'luna owner events\'' -l allow-plain-http -d 'Allow plain http to other machines: anybody on the network path can read the token'
complete -c luna -n '__luna_at \'luna owner events\'' -l sign-in -x -d 'Use the token of who has signed in with luna login'
complete -c luna -n '__luna_at \'luna owner events\'' -l account-refusal -x -a 'lenient\\twhen\\ the\\ issuer\\ has\\ ended\\ it strict\\tat\\ every\\ answer\\ to\\ a\\ renewal\\ but\\ a\\ good\\ one' -d 'With --sign-in: when it is over without luna logout'
complete -c luna -n '__luna_at \'luna owner events\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna owner events\'' -l passphrase-file -r -F -d 'Read the passphrase for sealed keys from FILE; - is standard input'
complete -c luna -n '__luna_at \'luna owner events\'' -l utc -d 'Times are in UTC, not local'
complete -c luna -n '__luna_at \'luna owner events\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna owner events\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna owner events\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna owner events\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna owner events\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna owner buzz\'' -l remote -d 'Through the backend and its gateways'
complete -c luna -n '__luna_at \'luna owner buzz\'' -l hours -x -d 'How many hours the request is valid'
complete -c luna -n '__luna_at \'luna owner buzz\'' -l seconds -x -d 'How many seconds it rings'
complete -c luna -n '__luna_at \'luna owner buzz\'' -l wait -x -d 'Wait at most TIME for it to ring; what is not delivered by then stays at the backend'
complete -c luna -n '__luna_at \'luna owner buzz\'' -l cancel -d 'Call off what was left there for it before'
complete -c luna -n '__luna_at \'luna owner buzz\'' -l format -x -a 'table jsonl' -d 'table or jsonl'
complete -c luna -n '__luna_at \'luna owner buzz\'' -l backend -x -d 'The backend, https://HOST[:PORT]'
complete -c luna -n '__luna_at \'luna owner buzz\'' -l token-file -r -F -d 'Read the token of this owner from FILE'
complete -c luna -n '__luna_at \'luna owner buzz\'' -l ca-file -r -F -d 'Trust the certificates in FILE (PEM) instead of the system\'s'
complete -c luna -n '__luna_at \'luna owner buzz\'' -l proxy -x -d 'Use a proxy (http://HOST:PORT, socks5h://HOST:PORT); - for none'
complete -c luna -n '__luna_at \'luna owner buzz\'' -l allow-plain-http -d 'Allow plain http to other machines: anybody on the network path can read the token'
complete -c luna -n '__luna_at \'luna owner buzz\'' -l sign-in -x -d 'Use the token of who has signed in with luna login'
complete -c luna -n '__luna_at \'luna owner buzz\'' -l account-refusal -x -a 'lenient\\twhen\\ the\\ issuer\\ has\\ ended\\ it strict\\tat\\ every\\ answer\\ to\\ a\\ renewal\\ but\\ a\\ good\\ one' -d 'With --sign-in: when it is over without luna logout'
complete -c luna -n '__luna_at \'luna owner buzz\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna owner buzz\'' -l passphrase-file -r -F -d 'Read the passphrase for sealed keys from FILE; - is standard input'
complete -c luna -n '__luna_at \'luna owner buzz\'' -l utc -d 'Times are in UTC, not local'
complete -c luna -n '__luna_at \'luna owner buzz\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna owner buzz\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna owner buzz\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna owner buzz\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna owner buzz\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna owner commands\'' -l format -x -a 'table jsonl csv' -d 'table, jsonl or csv'
complete -c luna -n '__luna_at \'luna owner commands\'' -l utc -d 'Times are in UTC, not local'
complete -c luna -n '__luna_at \'luna owner commands\'' -l backend -x -d 'The backend, https://HOST[:PORT]'
complete -c luna -n '__luna_at \'luna owner commands\'' -l token-file -r -F -d 'Read the token of this owner from FILE'
complete -c luna -n '__luna_at \'luna owner commands\'' -l ca-file -r -F -d 'Trust the certificates in FILE (PEM) instead of the system\'s'
complete -c luna -n '__luna_at \'luna owner commands\'' -l proxy -x -d 'Use a proxy (http://HOST:PORT, socks5h://HOST:PORT); - for none'
complete -c luna -n '__luna_at \'luna owner commands\'' -l allow-plain-http -d 'Allow plain http to other machines: anybody on the network path can read the token'
complete -c luna -n '__luna_at \'luna owner commands\'' -l sign-in -x -d 'Use the token of who has signed in with luna login'
complete -c luna -n '__luna_at \'luna owner commands\'' -l account-refusal -x -a 'lenient\\twhen\\ the\\ issuer\\ has\\ ended\\ it strict\\tat\\ every\\ answer\\ to\\ a\\ renewal\\ but\\ a\\ good\\ one' -d 'With --sign-in: when it is over without luna logout'
complete -c luna -n '__luna_at \'luna owner commands\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna owner commands\'' -l passphrase-file -r -F -d 'Read the passphrase for sealed keys from FILE; - is standard input'
complete -c luna -n '__luna_at \'luna owner commands\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna owner commands\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna owner commands\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna owner commands\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna owner commands\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna owner packages\'' -l hours -x -d 'How many hours they are valid'
complete -c luna -n '__luna_at \'luna owner packages\'' -l command -x -a 'buzzStart buzzStop blink ping' -d 'What the tracker does'
complete -c luna -n '__luna_at \'luna owner packages\'' -l seconds -x -d 'How many seconds it sounds or blinks'
complete -c luna -n '__luna_at \'luna owner packages\'' -l at -x -d 'When they become valid: 2026-11-21 10:00, yesterday, yesterday 09:00, 15:00 (today), 24h (so long ago)'
complete -c luna -n '__luna_at \'luna owner packages\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna owner packages\'' -l passphrase-file -r -F -d 'Read the passphrase for sealed keys from FILE; - is standard input'
complete -c luna -n '__luna_at \'luna owner packages\'' -l utc -d 'Times are in UTC, not local'
complete -c luna -n '__luna_at \'luna owner packages\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna owner packages\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna owner packages\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna owner packages\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna owner packages\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna owner rename\'' -l format -x -a 'table jsonl csv' -d 'table, jsonl or csv'
complete -c luna -n '__luna_at \'luna owner rename\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna owner rename\'' -l passphrase-file -r -F -d 'Read the passphrase for sealed keys from FILE; - is standard input'
complete -c luna -n '__luna_at \'luna owner rename\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna owner rename\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna owner rename\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna owner rename\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna owner rename\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna owner forget\'' -s y -l yes -d 'Do not ask'
complete -c luna -n '__luna_at \'luna owner forget\'' -l format -x -a 'table jsonl csv' -d 'table, jsonl or csv'
complete -c luna -n '__luna_at \'luna owner forget\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna owner forget\'' -l passphrase-file -r -F -d 'Read the passphrase for sealed keys from FILE; - is standard input'
complete -c luna -n '__luna_at \'luna owner forget\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna owner forget\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna owner forget\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna owner forget\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna owner forget\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna owner export\'' -l force -d 'Overwrite an existing file'
complete -c luna -n '__luna_at \'luna owner export\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna owner export\'' -l passphrase-file -r -F -d 'Read the passphrase for sealed keys from FILE; - is standard input'
complete -c luna -n '__luna_at \'luna owner export\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna owner export\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna owner export\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna owner export\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna owner export\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna owner export\' 0' -F
complete -c luna -n '__luna_at \'luna owner import\'' -l alignment -r -F -d 'The key alignment record of the accessory, as an XML property list'
complete -c luna -n '__luna_at \'luna owner import\'' -l format -x -a 'table jsonl csv' -d 'table, jsonl or csv'
complete -c luna -n '__luna_at \'luna owner import\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna owner import\'' -l passphrase-file -r -F -d 'Read the passphrase for sealed keys from FILE; - is standard input'
complete -c luna -n '__luna_at \'luna owner import\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna owner import\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna owner import\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna owner import\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna owner import\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna owner import\' 0' -F
complete -c luna -n '__luna_at \'luna owner ping\'' -l format -x -a 'table jsonl' -d 'table or jsonl'
complete -c luna -n '__luna_at \'luna owner ping\'' -s i -l adapter -x -d 'Use this adapter'
complete -c luna -n '__luna_at \'luna owner ping\'' -l radio -x -a 'auto\\tthe\\ best\\ that\\ permissions\\ allow observe\\tthe\\ kernel\\\'s\\ monitor\\ channel\\,\\ alongside\\ bluetoothd mgmt\\tthe\\ kernel\\\'s\\ management\\ interface dbus\\tbluetoothd\\\'s\\ discovery\\;\\ needs\\ no\\ privilege exclusive\\ttake\\ the\\ adapter\\ away\\ from\\ all\\ other\\ programs h4:\\tan\\ HCI\\ controller\\ behind\\ TCP\\,\\ a\\ socket\\ or\\ a\\ serial\\ line virtual\\ta\\ simulated\\ room\\;\\ needs\\ no\\ adapter' -d 'How to listen and connect; h4: takes tcp:HOST:PORT or a path, virtual: takes a seed'
complete -c luna -n '__luna_at \'luna owner ping\'' -s T -l duration -x -d 'Give up after TIME (30s, 5m), or at TIME (15:00)'
complete -c luna -n '__luna_at \'luna owner ping\'' -l speed -x -d 'Run protocol time N times faster; needs --epoch'
complete -c luna -n '__luna_at \'luna owner ping\'' -l epoch -x -d 'When protocol time equals real time, the same for all programs of a test: 2026-11-21 10:00, yesterday, yesterday 09:00, 15:00 (today), 24h (so long ago)'
complete -c luna -n '__luna_at \'luna owner ping\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna owner ping\'' -l passphrase-file -r -F -d 'Read the passphrase for sealed keys from FILE; - is standard input'
complete -c luna -n '__luna_at \'luna owner ping\'' -l utc -d 'Times are in UTC, not local'
complete -c luna -n '__luna_at \'luna owner ping\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna owner ping\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna owner ping\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna owner ping\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna owner ping\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna owner set-clock\'' -l format -x -a 'table jsonl' -d 'table or jsonl'
complete -c luna -n '__luna_at \'luna owner set-clock\'' -s i -l adapter -x -d 'Use this adapter'
complete -c luna -n '__luna_at \'luna owner set-clock\'' -l radio -x -a 'auto\\tthe\\ best\\ that\\ permissions\\ allow observe\\tthe\\ kernel\\\'s\\ monitor\\ channel\\,\\ alongside\\ bluetoothd mgmt\\tthe\\ kernel\\\'s\\ management\\ interface dbus\\tbluetoothd\\\'s\\ discovery\\;\\ needs\\ no\\ privilege exclusive\\ttake\\ the\\ adapter\\ away\\ from\\ all\\ other\\ programs h4:\\tan\\ HCI\\ controller\\ behind\\ TCP\\,\\ a\\ socket\\ or\\ a\\ serial\\ line virtual\\ta\\ simulated\\ room\\;\\ needs\\ no\\ adapter' -d 'How to listen and connect; h4: takes tcp:HOST:PORT or a path, virtual: takes a seed'
complete -c luna -n '__luna_at \'luna owner set-clock\'' -s T -l duration -x -d 'Give up after TIME (30s, 5m), or at TIME (15:00)'
complete -c luna -n '__luna_at \'luna owner set-clock\'' -l speed -x -d 'Run protocol time N times faster; needs --epoch'
complete -c luna -n '__luna_at \'luna owner set-clock\'' -l epoch -x -d 'When protocol time equals real time, the same for all programs of a test: 2026-11-21 10:00, yesterday, yesterday 09:00, 15:00 (today), 24h (so long ago)'
complete -c luna -n '__luna_at \'luna owner set-clock\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna owner set-clock\'' -l passphrase-file -r -F -d 'Read the passphrase for sealed keys from FILE; - is standard input'
complete -c luna -n '__luna_at \'luna owner set-clock\'' -l utc -d 'Times are in UTC, not local'
complete -c luna -n '__luna_at \'luna owner set-clock\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna owner set-clock\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna owner set-clock\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna owner set-clock\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna owner set-clock\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna owner here\'' -l format -x -a 'table jsonl' -d 'table or jsonl'
complete -c luna -n '__luna_at \'luna owner here\'' -s i -l adapter -x -d 'Use this adapter'
complete -c luna -n '__luna_at \'luna owner here\'' -l radio -x -a 'auto\\tthe\\ best\\ that\\ permissions\\ allow observe\\tthe\\ kernel\\\'s\\ monitor\\ channel\\,\\ alongside\\ bluetoothd mgmt\\tthe\\ kernel\\\'s\\ management\\ interface dbus\\tbluetoothd\\\'s\\ discovery\\;\\ needs\\ no\\ privilege exclusive\\ttake\\ the\\ adapter\\ away\\ from\\ all\\ other\\ programs h4:\\tan\\ HCI\\ controller\\ behind\\ TCP\\,\\ a\\ socket\\ or\\ a\\ serial\\ line virtual\\ta\\ simulated\\ room\\;\\ needs\\ no\\ adapter' -d 'How to listen and connect; h4: takes tcp:HOST:PORT or a path, virtual: takes a seed'
complete -c luna -n '__luna_at \'luna owner here\'' -s T -l duration -x -d 'Give up after TIME (30s, 5m), or at TIME (15:00)'
complete -c luna -n '__luna_at \'luna owner here\'' -l speed -x -d 'Run protocol time N times faster; needs --epoch'
complete -c luna -n '__luna_at \'luna owner here\'' -l epoch -x -d 'When protocol time equals real time, the same for all programs of a test: 2026-11-21 10:00, yesterday, yesterday 09:00, 15:00 (today), 24h (so long ago)'
complete -c luna -n '__luna_at \'luna owner here\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna owner here\'' -l passphrase-file -r -F -d 'Read the passphrase for sealed keys from FILE; - is standard input'
complete -c luna -n '__luna_at \'luna owner here\'' -l utc -d 'Times are in UTC, not local'
complete -c luna -n '__luna_at \'luna owner here\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna owner here\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna owner here\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna owner here\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna owner here\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna owner blink\'' -l seconds -x -d 'How many seconds it blinks'
complete -c luna -n '__luna_at \'luna owner blink\'' -l format -x -a 'table jsonl' -d 'table or jsonl'
complete -c luna -n '__luna_at \'luna owner blink\'' -s i -l adapter -x -d 'Use this adapter'
complete -c luna -n '__luna_at \'luna owner blink\'' -l radio -x -a 'auto\\tthe\\ best\\ that\\ permissions\\ allow observe\\tthe\\ kernel\\\'s\\ monitor\\ channel\\,\\ alongside\\ bluetoothd mgmt\\tthe\\ kernel\\\'s\\ management\\ interface dbus\\tbluetoothd\\\'s\\ discovery\\;\\ needs\\ no\\ privilege exclusive\\ttake\\ the\\ adapter\\ away\\ from\\ all\\ other\\ programs h4:\\tan\\ HCI\\ controller\\ behind\\ TCP\\,\\ a\\ socket\\ or\\ a\\ serial\\ line virtual\\ta\\ simulated\\ room\\;\\ needs\\ no\\ adapter' -d 'How to listen and connect; h4: takes tcp:HOST:PORT or a path, virtual: takes a seed'
complete -c luna -n '__luna_at \'luna owner blink\'' -s T -l duration -x -d 'Give up after TIME (30s, 5m), or at TIME (15:00)'
complete -c luna -n '__luna_at \'luna owner blink\'' -l speed -x -d 'Run protocol time N times faster; needs --epoch'
complete -c luna -n '__luna_at \'luna owner blink\'' -l epoch -x -d 'When protocol time equals real time, the same for all programs of a test: 2026-11-21 10:00, yesterday, yesterday 09:00, 15:00 (today), 24h (so long ago)'
complete -c luna -n '__luna_at \'luna owner blink\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna owner blink\'' -l passphrase-file -r -F -d 'Read the passphrase for sealed keys from FILE; - is standard input'
complete -c luna -n '__luna_at \'luna owner blink\'' -l utc -d 'Times are in UTC, not local'
complete -c luna -n '__luna_at \'luna owner blink\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna owner blink\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna owner blink\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna owner blink\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna owner blink\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna owner reset\'' -s y -l yes -d 'Do not ask'
complete -c luna -n '__luna_at \'luna owner reset\'' -l format -x -a 'table jsonl' -d 'table or jsonl'
complete -c luna -n '__luna_at \'luna owner reset\'' -s i -l adapter -x -d 'Use this adapter'
complete -c luna -n '__luna_at \'luna owner reset\'' -l radio -x -a 'auto\\tthe\\ best\\ that\\ permissions\\ allow observe\\tthe\\ kernel\\\'s\\ monitor\\ channel\\,\\ alongside\\ bluetoothd mgmt\\tthe\\ kernel\\\'s\\ management\\ interface dbus\\tbluetoothd\\\'s\\ discovery\\;\\ needs\\ no\\ privilege exclusive\\ttake\\ the\\ adapter\\ away\\ from\\ all\\ other\\ programs h4:\\tan\\ HCI\\ controller\\ behind\\ TCP\\,\\ a\\ socket\\ or\\ a\\ serial\\ line virtual\\ta\\ simulated\\ room\\;\\ needs\\ no\\ adapter' -d 'How to listen and connect; h4: takes tcp:HOST:PORT or a path, virtual: takes a seed'
complete -c luna -n '__luna_at \'luna owner reset\'' -s T -l duration -x -d 'Give up after TIME (30s, 5m), or at TIME (15:00)'
complete -c luna -n '__luna_at \'luna owner reset\'' -l speed -x -d 'Run protocol time N times faster; needs --epoch'
complete -c luna -n '__luna_at \'luna owner reset\'' -l epoch -x -d 'When protocol time equals real time, the same for all programs of a test: 2026-11-21 10:00, yesterday, yesterday 09:00, 15:00 (today), 24h (so long ago)'
complete -c luna -n '__luna_at \'luna owner reset\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna owner reset\'' -l passphrase-file -r -F -d 'Read the passphrase for sealed keys from FILE; - is standard input'
complete -c luna -n '__luna_at \'luna owner reset\'' -l utc -d 'Times are in UTC, not local'
complete -c luna -n '__luna_at \'luna owner reset\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna owner reset\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna owner reset\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna owner reset\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna owner reset\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna owner seal\'' -l new-passphrase-file -r -F -d 'Read the new passphrase from FILE'
complete -c luna -n '__luna_at \'luna owner seal\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna owner seal\'' -l passphrase-file -r -F -d 'Read the passphrase for sealed keys from FILE; - is standard input'
complete -c luna -n '__luna_at \'luna owner seal\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna owner seal\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna owner seal\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna owner seal\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna owner seal\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna owner unseal\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna owner unseal\'' -l passphrase-file -r -F -d 'Read the passphrase for sealed keys from FILE; - is standard input'
complete -c luna -n '__luna_at \'luna owner unseal\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna owner unseal\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna owner unseal\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna owner unseal\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna owner unseal\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna finder\' 0' -a enroll -d 'Get this gateway\'s token with an enrolment code.'
complete -c luna -n '__luna_at \'luna finder\' 0' -a label -d 'Print the label of this gateway, or draw it.'
complete -c luna -n '__luna_at \'luna finder\' 0' -a status -d 'Show what a finder has queued, what it has lost, and how long an outage may last.'
complete -c luna -n '__luna_at \'luna finder\'' -l location -x -a 'static:\\ta\\ fixed\\ place gpsd\\ta\\ satellite\\ receiver geoclue\\tthe\\ system\\\'s\\ location\\ service' -d 'static:LAT,LON[,ALT], gpsd[:HOST:PORT] or geoclue'
complete -c luna -n '__luna_at \'luna finder\'' -l once -d 'Listen for 64 s (or --duration), upload and exit; with 1 if nothing was heard, 9 if the upload failed'
complete -c luna -n '__luna_at \'luna finder\'' -l duty -x -a 'auto full sparse' -d 'auto (little until a tracker is near), full, or sparse'
complete -c luna -n '__luna_at \'luna finder\'' -l format -x -a 'text\\ta\\ plain\\ log\\,\\ for\\ the\\ journal\\ of\\ a\\ service jsonl\\ta\\ JSON\\ object\\ on\\ each\\ line' -d 'text or jsonl'
complete -c luna -n '__luna_at \'luna finder\'' -l health -d 'Tell the backend once a minute how this gateway is'
complete -c luna -n '__luna_at \'luna finder\'' -l no-health -d 'Tell the backend once a minute how this gateway is'
complete -c luna -n '__luna_at \'luna finder\'' -l devices -x -a 'off\\tnothing counts\\thow\\ many\\,\\ of\\ which\\ families refs\\talso\\ pseudonyms\\ of\\ those\\ that\\ stay' -d 'What to tell it of the devices nearby: off, counts or refs'
complete -c luna -n '__luna_at \'luna finder\'' -l backend -x -d 'The backend, https://HOST[:PORT]'
complete -c luna -n '__luna_at \'luna finder\'' -l token-file -r -F -d 'Read the token of this gateway from FILE'
complete -c luna -n '__luna_at \'luna finder\'' -l ca-file -r -F -d 'Trust the certificates in FILE (PEM) instead of the system\'s'
complete -c luna -n '__luna_at \'luna finder\'' -l proxy -x -d 'Use a proxy (http://HOST:PORT, socks5h://HOST:PORT); - for none'
complete -c luna -n '__luna_at \'luna finder\'' -l allow-plain-http -d 'Allow plain http to other machines: anybody on the network path can read the token'
complete -c luna -n '__luna_at \'luna finder\'' -l sign-in -x -d 'Use the token of who has signed in with luna login'
complete -c luna -n '__luna_at \'luna finder\'' -l account-refusal -x -a 'lenient\\twhen\\ the\\ issuer\\ has\\ ended\\ it strict\\tat\\ every\\ answer\\ to\\ a\\ renewal\\ but\\ a\\ good\\ one' -d 'With --sign-in: when it is over without luna logout'
complete -c luna -n '__luna_at \'luna finder\'' -l account-on-change -x -d 'With --sign-in: run COMMAND by sh at first, and when somebody signs in or out, with LUNA_SIGNED_IN 1 or 0'
complete -c luna -n '__luna_at \'luna finder\'' -l telemetry-root -x -d 'The first part of all keys'
complete -c luna -n '__luna_at \'luna finder\'' -l telemetry-mode -x -a 'jwt accessToken' -d 'With --sign-in: send it with the accessToken, or jwt, the ID token'
complete -c luna -n '__luna_at \'luna finder\'' -l when-signed-out -x -a 'keep drop' -d 'With --sign-in, while nobody is: keep or drop what waits'
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
complete -c luna -n '__luna_at \'luna finder\'' -s T -l duration -x -d 'Stop after TIME (10s, 5m, 1h), or at TIME (15:00)'
complete -c luna -n '__luna_at \'luna finder\'' -l active -d 'Request scan responses from advertisers'
complete -c luna -n '__luna_at \'luna finder\'' -l passive -d 'Only listen; transmit nothing'
complete -c luna -n '__luna_at \'luna finder\'' -l phy -x -a '(__luna_list 1m coded)' -d 'Primary PHYs to listen on: 1m, coded'
complete -c luna -n '__luna_at \'luna finder\'' -l mqtt -x -d 'Tell a broker, mqtt[s]://[USER@]HOST[:PORT][/PREFIX]'
complete -c luna -n '__luna_at \'luna finder\'' -l mqtt-password-file -r -F -d 'Read the password of USER from FILE'
complete -c luna -n '__luna_at \'luna finder\'' -l mqtt-ca-file -r -F -d 'With mqtts: trust the authorities in FILE (PEM)'
complete -c luna -n '__luna_at \'luna finder\'' -l mqtt-certificate -r -F -d 'With mqtts: this client\'s certificate (PEM)'
complete -c luna -n '__luna_at \'luna finder\'' -l mqtt-key -r -F -d 'With mqtts: the key of the certificate'
complete -c luna -n '__luna_at \'luna finder\'' -l mqtt-discovery -x -d 'Where Home Assistant looks for devices; off for nowhere'
complete -c luna -n '__luna_at \'luna finder\'' -l exec -x -d 'Run COMMAND by sh for each event, which is in its environment'
complete -c luna -n '__luna_at \'luna finder\'' -l exec-on -x -a '(__luna_list duty state recovery queue sighting region location upload command dropped end problem)' -d 'Run it for these events'
complete -c luna -n '__luna_at \'luna finder\'' -l webhook -x -d 'Post each event to URL, a JSON object'
complete -c luna -n '__luna_at \'luna finder\'' -l webhook-on -x -a '(__luna_list duty state recovery queue sighting region location upload command dropped end problem)' -d 'Post these events'
complete -c luna -n '__luna_at \'luna finder\'' -l webhook-token-file -r -F -d 'Send the token in FILE along (Authorization: Bearer)'
complete -c luna -n '__luna_at \'luna finder\'' -l webhook-ca-file -r -F -d 'Trust the authorities in FILE (PEM)'
complete -c luna -n '__luna_at \'luna finder\'' -l webhook-allow-plain-http -d 'Post over plain http to other machines, too'
complete -c luna -n '__luna_at \'luna finder\'' -l metrics -x -d 'Serve numbers for Prometheus at /metrics'
complete -c luna -n '__luna_at \'luna finder\'' -l speed -x -d 'Run protocol time N times faster; needs --epoch'
complete -c luna -n '__luna_at \'luna finder\'' -l epoch -x -d 'When protocol time equals real time, the same for all programs of a test: 2026-11-21 10:00, yesterday, yesterday 09:00, 15:00 (today), 24h (so long ago)'
complete -c luna -n '__luna_at \'luna finder\'' -l utc -d 'Times are in UTC, not local'
complete -c luna -n '__luna_at \'luna finder\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna finder\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna finder\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna finder\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
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
complete -c luna -n '__luna_at \'luna finder enroll\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna finder enroll\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna finder label\'' -s o -l output -r -F -d 'Write a picture: .svg or .png'
complete -c luna -n '__luna_at \'luna finder label\'' -l force -d 'Overwrite an existing file'
complete -c luna -n '__luna_at \'luna finder label\'' -l name -x -d 'A name'
complete -c luna -n '__luna_at \'luna finder label\'' -l site -x -d 'The site that it is for'
complete -c luna -n '__luna_at \'luna finder label\'' -l manufacturer -x -d 'Who made it'
complete -c luna -n '__luna_at \'luna finder label\'' -l model -x -d 'Its model'
complete -c luna -n '__luna_at \'luna finder label\'' -l at -x -d 'Where it will be, degrees'
complete -c luna -n '__luna_at \'luna finder label\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna finder label\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna finder label\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna finder label\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna finder label\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna finder label\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna finder status\'' -l format -x -a 'table jsonl' -d 'table or jsonl'
complete -c luna -n '__luna_at \'luna finder status\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna finder status\'' -l utc -d 'Times are in UTC, not local'
complete -c luna -n '__luna_at \'luna finder status\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna finder status\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna finder status\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna finder status\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna finder status\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna backend\' 0' -a token -d 'Make, list and revoke the tokens of a backend.'
complete -c luna -n '__luna_at \'luna backend\' 0' -a enroll -d 'Make a code with which a gateway can get its token once.'
complete -c luna -n '__luna_at \'luna backend\' 0' -a migrate -d 'Create the storage, or upgrade it to this version.'
complete -c luna -n '__luna_at \'luna backend\' 0' -a backup -d 'Copy everything to a file, even while a backend runs.'
complete -c luna -n '__luna_at \'luna backend\' 0' -a check-config -d 'Check whether a backend would start with these options.'
complete -c luna -n '__luna_at \'luna backend\' 0' -a settings -d 'Show or change what all backends on one PostgreSQL database go by.'
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
complete -c luna -n '__luna_at \'luna backend\'' -l of -x -d 'Allow an N-th of all rates and bursts: for N backends whose clients may ask any of them'
complete -c luna -n '__luna_at \'luna backend\'' -l public-url -x -d 'Where browsers find it, without a path; only https, or this machine, lets people sign in'
complete -c luna -n '__luna_at \'luna backend\'' -l console -d 'Let people sign in with a browser; the default'
complete -c luna -n '__luna_at \'luna backend\'' -l no-console -d 'Let people sign in with a browser; the default'
complete -c luna -n '__luna_at \'luna backend\'' -l tiles -x -d 'Show this map (MBTiles) as standard, satellite or hybrid; no other server is asked'
complete -c luna -n '__luna_at \'luna backend\'' -l trust-proxy -x -d 'Take the last address of X-Forwarded-For from a proxy there (10.0.0.1, fd00::/8)'
complete -c luna -n '__luna_at \'luna backend\'' -l uplink -d 'Make uplink checks with gateways, owners and accounts (luna uplink check)'
complete -c luna -n '__luna_at \'luna backend\'' -l uplink-pair -x -d 'Tell gateways of two servers of luna uplink serve whose paths part (luna uplink locate)'
complete -c luna -n '__luna_at \'luna backend\'' -l testing -d 'Accept events with clear-text positions; never for real trackers'
complete -c luna -n '__luna_at \'luna backend\'' -l demo -d 'Let anybody of this machine sign in, as long as there are no accounts'
complete -c luna -n '__luna_at \'luna backend\'' -l store -x -d 'sqlite:FILE, or postgres:CONNECTION as libpq takes it'
complete -c luna -n '__luna_at \'luna backend\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna backend\'' -l store-connections -x -d 'Use N connections to PostgreSQL; a file is read over half of N'
complete -c luna -n '__luna_at \'luna backend\'' -l store-queue -x -d 'Let at most N events wait for the disk'
complete -c luna -n '__luna_at \'luna backend\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna backend\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna backend\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna backend\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna backend\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna backend token\' 0' -a create -d 'Make a token, which is shown only once.'
complete -c luna -n '__luna_at \'luna backend token\' 0' -a list -d 'List the tokens, including revoked ones, without their secrets.'
complete -c luna -n '__luna_at \'luna backend token\' 0' -a revoke -d 'Revoke a token at once.'
complete -c luna -n '__luna_at \'luna backend token\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna backend token\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna backend token\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna backend token\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna backend token\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna backend token create\'' -l role -x -a 'viewer\\treads operator\\talso\\ changes\\ gateways\\ and\\ devices admin\\talso\\ looks\\ after\\ accounts\\,\\ tokens\\ and\\ settings' -d 'What a token of an admin may do: viewer, operator or admin'
complete -c luna -n '__luna_at \'luna backend token create\'' -l out -r -F -d 'Write it to FILE, mode 0600, instead of showing it'
complete -c luna -n '__luna_at \'luna backend token create\'' -l force -d 'Overwrite an existing file'
complete -c luna -n '__luna_at \'luna backend token create\'' -l format -x -a 'table jsonl csv' -d 'table, jsonl or csv'
complete -c luna -n '__luna_at \'luna backend token create\'' -l store -x -d 'sqlite:FILE, or postgres:CONNECTION as libpq takes it'
complete -c luna -n '__luna_at \'luna backend token create\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna backend token create\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna backend token create\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna backend token create\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna backend token create\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna backend token create\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna backend token create\' 0' -a 'gateway owner admin'
complete -c luna -n '__luna_at \'luna backend token list\'' -l format -x -a 'table jsonl csv' -d 'table, jsonl or csv'
complete -c luna -n '__luna_at \'luna backend token list\'' -l store -x -d 'sqlite:FILE, or postgres:CONNECTION as libpq takes it'
complete -c luna -n '__luna_at \'luna backend token list\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna backend token list\'' -l utc -d 'Times are in UTC, not local'
complete -c luna -n '__luna_at \'luna backend token list\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna backend token list\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna backend token list\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna backend token list\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna backend token list\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna backend token revoke\'' -l store -x -d 'sqlite:FILE, or postgres:CONNECTION as libpq takes it'
complete -c luna -n '__luna_at \'luna backend token revoke\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna backend token revoke\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna backend token revoke\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna backend token revoke\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna backend token revoke\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna backend token revoke\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna backend enroll\'' -l valid -x -d 'How long the code is valid, such as 30m or 24h'
complete -c luna -n '__luna_at \'luna backend enroll\'' -l format -x -a 'table jsonl csv' -d 'table, jsonl or csv'
complete -c luna -n '__luna_at \'luna backend enroll\'' -l store -x -d 'sqlite:FILE, or postgres:CONNECTION as libpq takes it'
complete -c luna -n '__luna_at \'luna backend enroll\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna backend enroll\'' -l utc -d 'Times are in UTC, not local'
complete -c luna -n '__luna_at \'luna backend enroll\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna backend enroll\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna backend enroll\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna backend enroll\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna backend enroll\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna backend migrate\'' -l store -x -d 'sqlite:FILE, or postgres:CONNECTION as libpq takes it'
complete -c luna -n '__luna_at \'luna backend migrate\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna backend migrate\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna backend migrate\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna backend migrate\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna backend migrate\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna backend migrate\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna backend backup\'' -l force -d 'Overwrite FILE if it exists'
complete -c luna -n '__luna_at \'luna backend backup\'' -l store -x -d 'sqlite:FILE, or postgres:CONNECTION as libpq takes it'
complete -c luna -n '__luna_at \'luna backend backup\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna backend backup\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna backend backup\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna backend backup\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna backend backup\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
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
complete -c luna -n '__luna_at \'luna backend check-config\'' -l of -x -d 'Allow an N-th of all rates and bursts: for N backends whose clients may ask any of them'
complete -c luna -n '__luna_at \'luna backend check-config\'' -l public-url -x -d 'Where browsers find it, without a path; only https, or this machine, lets people sign in'
complete -c luna -n '__luna_at \'luna backend check-config\'' -l console -d 'Let people sign in with a browser; the default'
complete -c luna -n '__luna_at \'luna backend check-config\'' -l no-console -d 'Let people sign in with a browser; the default'
complete -c luna -n '__luna_at \'luna backend check-config\'' -l tiles -x -d 'Show this map (MBTiles) as standard, satellite or hybrid; no other server is asked'
complete -c luna -n '__luna_at \'luna backend check-config\'' -l trust-proxy -x -d 'Take the last address of X-Forwarded-For from a proxy there (10.0.0.1, fd00::/8)'
complete -c luna -n '__luna_at \'luna backend check-config\'' -l uplink -d 'Make uplink checks with gateways, owners and accounts (luna uplink check)'
complete -c luna -n '__luna_at \'luna backend check-config\'' -l uplink-pair -x -d 'Tell gateways of two servers of luna uplink serve whose paths part (luna uplink locate)'
complete -c luna -n '__luna_at \'luna backend check-config\'' -l testing -d 'Accept events with clear-text positions; never for real trackers'
complete -c luna -n '__luna_at \'luna backend check-config\'' -l demo -d 'Let anybody of this machine sign in, as long as there are no accounts'
complete -c luna -n '__luna_at \'luna backend check-config\'' -l store -x -d 'sqlite:FILE, or postgres:CONNECTION as libpq takes it'
complete -c luna -n '__luna_at \'luna backend check-config\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna backend check-config\'' -l store-connections -x -d 'Use N connections to PostgreSQL; a file is read over half of N'
complete -c luna -n '__luna_at \'luna backend check-config\'' -l store-queue -x -d 'Let at most N events wait for the disk'
complete -c luna -n '__luna_at \'luna backend check-config\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna backend check-config\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna backend check-config\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna backend check-config\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna backend check-config\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna backend settings\'' -s y -l yes -d 'Do not ask'
complete -c luna -n '__luna_at \'luna backend settings\'' -l format -x -a 'table jsonl csv' -d 'table, jsonl or csv'
complete -c luna -n '__luna_at \'luna backend settings\'' -l store -x -d 'sqlite:FILE, or postgres:CONNECTION as libpq takes it'
complete -c luna -n '__luna_at \'luna backend settings\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna backend settings\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna backend settings\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna backend settings\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna backend settings\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna backend settings\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna fleet\' 0' -a list -d 'List gateways.'
complete -c luna -n '__luna_at \'luna fleet\' 0' -a show -d 'Show a gateway.'
complete -c luna -n '__luna_at \'luna fleet\' 0' -a add -d 'Make the record of a gateway, and a code with which it gets its token.'
complete -c luna -n '__luna_at \'luna fleet\' 0' -a edit -d 'Change fields of a gateway.'
complete -c luna -n '__luna_at \'luna fleet\' 0' -a remove -d 'Remove a gateway; its token is not good any more.'
complete -c luna -n '__luna_at \'luna fleet\' 0' -a undo -d 'Take a change back, as a new one.'
complete -c luna -n '__luna_at \'luna fleet\' 0' -a enroll -d 'Take a gateway in by the text of its label.'
complete -c luna -n '__luna_at \'luna fleet\' 0' -a label -d 'Draw the label of a gateway.'
complete -c luna -n '__luna_at \'luna fleet\' 0' -a devices -d 'List what a gateway hears, and say what may be there.'
complete -c luna -n '__luna_at \'luna fleet\' 0' -a history -d 'Show who changed what, oldest first.'
complete -c luna -n '__luna_at \'luna fleet\' 0' -a export -d 'Write all gateways to standard output, as JSON lines or CSV.'
complete -c luna -n '__luna_at \'luna fleet\' 0' -a import -d 'Make records of a file, all of them or none.'
complete -c luna -n '__luna_at \'luna fleet\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna fleet\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna fleet\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna fleet\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna fleet\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna fleet list\'' -l search -x -d 'Only those that a search finds'
complete -c luna -n '__luna_at \'luna fleet list\'' -l sort -x -d 'Sort by name, site, state, seenAt, …; - reverses'
complete -c luna -n '__luna_at \'luna fleet list\'' -l format -x -a 'table jsonl csv' -d 'table, jsonl or csv'
complete -c luna -n '__luna_at \'luna fleet list\'' -l backend -x -d 'The backend, https://HOST[:PORT]'
complete -c luna -n '__luna_at \'luna fleet list\'' -l token-file -r -F -d 'Read the token of this admin from FILE'
complete -c luna -n '__luna_at \'luna fleet list\'' -l ca-file -r -F -d 'Trust the certificates in FILE (PEM) instead of the system\'s'
complete -c luna -n '__luna_at \'luna fleet list\'' -l proxy -x -d 'Use a proxy (http://HOST:PORT, socks5h://HOST:PORT); - for none'
complete -c luna -n '__luna_at \'luna fleet list\'' -l allow-plain-http -d 'Allow plain http to other machines: anybody on the network path can read the token'
complete -c luna -n '__luna_at \'luna fleet list\'' -l sign-in -x -d 'Use the token of who has signed in with luna login'
complete -c luna -n '__luna_at \'luna fleet list\'' -l account-refusal -x -a 'lenient\\twhen\\ the\\ issuer\\ has\\ ended\\ it strict\\tat\\ every\\ answer\\ to\\ a\\ renewal\\ but\\ a\\ good\\ one' -d 'With --sign-in: when it is over without luna logout'
complete -c luna -n '__luna_at \'luna fleet list\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna fleet list\'' -l utc -d 'Times are in UTC, not local'
complete -c luna -n '__luna_at \'luna fleet list\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna fleet list\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna fleet list\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna fleet list\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna fleet list\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna fleet show\'' -l format -x -a 'table jsonl' -d 'table or jsonl'
complete -c luna -n '__luna_at \'luna fleet show\'' -l backend -x -d 'The backend, https://HOST[:PORT]'
complete -c luna -n '__luna_at \'luna fleet show\'' -l token-file -r -F -d 'Read the token of this admin from FILE'
complete -c luna -n '__luna_at \'luna fleet show\'' -l ca-file -r -F -d 'Trust the certificates in FILE (PEM) instead of the system\'s'
complete -c luna -n '__luna_at \'luna fleet show\'' -l proxy -x -d 'Use a proxy (http://HOST:PORT, socks5h://HOST:PORT); - for none'
complete -c luna -n '__luna_at \'luna fleet show\'' -l allow-plain-http -d 'Allow plain http to other machines: anybody on the network path can read the token'
complete -c luna -n '__luna_at \'luna fleet show\'' -l sign-in -x -d 'Use the token of who has signed in with luna login'
complete -c luna -n '__luna_at \'luna fleet show\'' -l account-refusal -x -a 'lenient\\twhen\\ the\\ issuer\\ has\\ ended\\ it strict\\tat\\ every\\ answer\\ to\\ a\\ renewal\\ but\\ a\\ good\\ one' -d 'With --sign-in: when it is over without luna logout'
complete -c luna -n '__luna_at \'luna fleet show\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna fleet show\'' -l utc -d 'Times are in UTC, not local'
complete -c luna -n '__luna_at \'luna fleet show\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna fleet show\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna fleet show\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna fleet show\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna fleet show\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna fleet add\'' -l no-position -d 'Allow that nobody knows where it is'
complete -c luna -n '__luna_at \'luna fleet add\'' -l at -x -d 'Where it is, degrees'
complete -c luna -n '__luna_at \'luna fleet add\'' -l place -x -d 'Where it is, in words'
complete -c luna -n '__luna_at \'luna fleet add\'' -l site -x -d 'The site that it belongs to'
complete -c luna -n '__luna_at \'luna fleet add\'' -l tag -x -d 'Give it this tag'
complete -c luna -n '__luna_at \'luna fleet add\'' -l manufacturer -x -d 'Who made it'
complete -c luna -n '__luna_at \'luna fleet add\'' -l note -x -d 'A note'
complete -c luna -n '__luna_at \'luna fleet add\'' -l format -x -a 'table jsonl' -d 'table or jsonl'
complete -c luna -n '__luna_at \'luna fleet add\'' -l backend -x -d 'The backend, https://HOST[:PORT]'
complete -c luna -n '__luna_at \'luna fleet add\'' -l token-file -r -F -d 'Read the token of this admin from FILE'
complete -c luna -n '__luna_at \'luna fleet add\'' -l ca-file -r -F -d 'Trust the certificates in FILE (PEM) instead of the system\'s'
complete -c luna -n '__luna_at \'luna fleet add\'' -l proxy -x -d 'Use a proxy (http://HOST:PORT, socks5h://HOST:PORT); - for none'
complete -c luna -n '__luna_at \'luna fleet add\'' -l allow-plain-http -d 'Allow plain http to other machines: anybody on the network path can read the token'
complete -c luna -n '__luna_at \'luna fleet add\'' -l sign-in -x -d 'Use the token of who has signed in with luna login'
complete -c luna -n '__luna_at \'luna fleet add\'' -l account-refusal -x -a 'lenient\\twhen\\ the\\ issuer\\ has\\ ended\\ it strict\\tat\\ every\\ answer\\ to\\ a\\ renewal\\ but\\ a\\ good\\ one' -d 'With --sign-in: when it is over without luna logout'
complete -c luna -n '__luna_at \'luna fleet add\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna fleet add\'' -l utc -d 'Times are in UTC, not local'
complete -c luna -n '__luna_at \'luna fleet add\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna fleet add\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna fleet add\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna fleet add\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna fleet add\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna fleet edit\'' -l name -x -d 'Its name'
complete -c luna -n '__luna_at \'luna fleet edit\'' -l at -x -d 'Where it is, degrees'
complete -c luna -n '__luna_at \'luna fleet edit\'' -l place -x -d 'Where it is, in words'
complete -c luna -n '__luna_at \'luna fleet edit\'' -l site -x -d 'The site that it belongs to'
complete -c luna -n '__luna_at \'luna fleet edit\'' -l tag -x -d 'Give it this tag'
complete -c luna -n '__luna_at \'luna fleet edit\'' -l manufacturer -x -d 'Who made it'
complete -c luna -n '__luna_at \'luna fleet edit\'' -l note -x -d 'A note'
complete -c luna -n '__luna_at \'luna fleet edit\'' -l untag -x -d 'Take this tag away'
complete -c luna -n '__luna_at \'luna fleet edit\'' -l picture -x -d 'Its picture; an empty text for none'
complete -c luna -n '__luna_at \'luna fleet edit\'' -l format -x -a 'table jsonl' -d 'table or jsonl'
complete -c luna -n '__luna_at \'luna fleet edit\'' -l backend -x -d 'The backend, https://HOST[:PORT]'
complete -c luna -n '__luna_at \'luna fleet edit\'' -l token-file -r -F -d 'Read the token of this admin from FILE'
complete -c luna -n '__luna_at \'luna fleet edit\'' -l ca-file -r -F -d 'Trust the certificates in FILE (PEM) instead of the system\'s'
complete -c luna -n '__luna_at \'luna fleet edit\'' -l proxy -x -d 'Use a proxy (http://HOST:PORT, socks5h://HOST:PORT); - for none'
complete -c luna -n '__luna_at \'luna fleet edit\'' -l allow-plain-http -d 'Allow plain http to other machines: anybody on the network path can read the token'
complete -c luna -n '__luna_at \'luna fleet edit\'' -l sign-in -x -d 'Use the token of who has signed in with luna login'
complete -c luna -n '__luna_at \'luna fleet edit\'' -l account-refusal -x -a 'lenient\\twhen\\ the\\ issuer\\ has\\ ended\\ it strict\\tat\\ every\\ answer\\ to\\ a\\ renewal\\ but\\ a\\ good\\ one' -d 'With --sign-in: when it is over without luna logout'
complete -c luna -n '__luna_at \'luna fleet edit\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna fleet edit\'' -l utc -d 'Times are in UTC, not local'
complete -c luna -n '__luna_at \'luna fleet edit\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna fleet edit\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna fleet edit\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna fleet edit\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna fleet edit\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna fleet remove\'' -s y -l yes -d 'Do not ask'
complete -c luna -n '__luna_at \'luna fleet remove\'' -l format -x -a 'table jsonl' -d 'table or jsonl'
complete -c luna -n '__luna_at \'luna fleet remove\'' -l backend -x -d 'The backend, https://HOST[:PORT]'
complete -c luna -n '__luna_at \'luna fleet remove\'' -l token-file -r -F -d 'Read the token of this admin from FILE'
complete -c luna -n '__luna_at \'luna fleet remove\'' -l ca-file -r -F -d 'Trust the certificates in FILE (PEM) instead of the system\'s'
complete -c luna -n '__luna_at \'luna fleet remove\'' -l proxy -x -d 'Use a proxy (http://HOST:PORT, socks5h://HOST:PORT); - for none'
complete -c luna -n '__luna_at \'luna fleet remove\'' -l allow-plain-http -d 'Allow plain http to other machines: anybody on the network path can read the token'
complete -c luna -n '__luna_at \'luna fleet remove\'' -l sign-in -x -d 'Use the token of who has signed in with luna login'
complete -c luna -n '__luna_at \'luna fleet remove\'' -l account-refusal -x -a 'lenient\\twhen\\ the\\ issuer\\ has\\ ended\\ it strict\\tat\\ every\\ answer\\ to\\ a\\ renewal\\ but\\ a\\ good\\ one' -d 'With --sign-in: when it is over without luna logout'
complete -c luna -n '__luna_at \'luna fleet remove\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna fleet remove\'' -l utc -d 'Times are in UTC, not local'
complete -c luna -n '__luna_at \'luna fleet remove\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna fleet remove\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna fleet remove\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna fleet remove\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna fleet remove\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna fleet undo\'' -l format -x -a 'table jsonl' -d 'table or jsonl'
complete -c luna -n '__luna_at \'luna fleet undo\'' -l backend -x -d 'The backend, https://HOST[:PORT]'
complete -c luna -n '__luna_at \'luna fleet undo\'' -l token-file -r -F -d 'Read the token of this admin from FILE'
complete -c luna -n '__luna_at \'luna fleet undo\'' -l ca-file -r -F -d 'Trust the certificates in FILE (PEM) instead of the system\'s'
complete -c luna -n '__luna_at \'luna fleet undo\'' -l proxy -x -d 'Use a proxy (http://HOST:PORT, socks5h://HOST:PORT); - for none'
complete -c luna -n '__luna_at \'luna fleet undo\'' -l allow-plain-http -d 'Allow plain http to other machines: anybody on the network path can read the token'
complete -c luna -n '__luna_at \'luna fleet undo\'' -l sign-in -x -d 'Use the token of who has signed in with luna login'
complete -c luna -n '__luna_at \'luna fleet undo\'' -l account-refusal -x -a 'lenient\\twhen\\ the\\ issuer\\ has\\ ended\\ it strict\\tat\\ every\\ answer\\ to\\ a\\ renewal\\ but\\ a\\ good\\ one' -d 'With --sign-in: when it is over without luna logout'
complete -c luna -n '__luna_at \'luna fleet undo\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna fleet undo\'' -l utc -d 'Times are in UTC, not local'
complete -c luna -n '__luna_at \'luna fleet undo\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna fleet undo\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna fleet undo\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna fleet undo\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna fleet undo\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna fleet enroll\'' -l qr -r -F -d 'Read the label from a picture (with zbarimg)'
complete -c luna -n '__luna_at \'luna fleet enroll\'' -l record -x -d 'It belongs to this record'
complete -c luna -n '__luna_at \'luna fleet enroll\'' -l name -x -d 'Its name, in the place of the label\'s'
complete -c luna -n '__luna_at \'luna fleet enroll\'' -l at -x -d 'Where it is: LAT,LON in degrees, or gpsd'
complete -c luna -n '__luna_at \'luna fleet enroll\'' -l no-position -d 'Allow that nobody knows where it is'
complete -c luna -n '__luna_at \'luna fleet enroll\'' -l format -x -a 'table jsonl' -d 'table or jsonl'
complete -c luna -n '__luna_at \'luna fleet enroll\'' -l backend -x -d 'The backend, https://HOST[:PORT]'
complete -c luna -n '__luna_at \'luna fleet enroll\'' -l token-file -r -F -d 'Read the token of this admin from FILE'
complete -c luna -n '__luna_at \'luna fleet enroll\'' -l ca-file -r -F -d 'Trust the certificates in FILE (PEM) instead of the system\'s'
complete -c luna -n '__luna_at \'luna fleet enroll\'' -l proxy -x -d 'Use a proxy (http://HOST:PORT, socks5h://HOST:PORT); - for none'
complete -c luna -n '__luna_at \'luna fleet enroll\'' -l allow-plain-http -d 'Allow plain http to other machines: anybody on the network path can read the token'
complete -c luna -n '__luna_at \'luna fleet enroll\'' -l sign-in -x -d 'Use the token of who has signed in with luna login'
complete -c luna -n '__luna_at \'luna fleet enroll\'' -l account-refusal -x -a 'lenient\\twhen\\ the\\ issuer\\ has\\ ended\\ it strict\\tat\\ every\\ answer\\ to\\ a\\ renewal\\ but\\ a\\ good\\ one' -d 'With --sign-in: when it is over without luna logout'
complete -c luna -n '__luna_at \'luna fleet enroll\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna fleet enroll\'' -l utc -d 'Times are in UTC, not local'
complete -c luna -n '__luna_at \'luna fleet enroll\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna fleet enroll\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna fleet enroll\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna fleet enroll\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna fleet enroll\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna fleet label\'' -s o -l output -r -F -d 'Write a picture: .svg or .png'
complete -c luna -n '__luna_at \'luna fleet label\'' -l force -d 'Overwrite an existing file'
complete -c luna -n '__luna_at \'luna fleet label\'' -l format -x -a 'table jsonl' -d 'table or jsonl'
complete -c luna -n '__luna_at \'luna fleet label\'' -l backend -x -d 'The backend, https://HOST[:PORT]'
complete -c luna -n '__luna_at \'luna fleet label\'' -l token-file -r -F -d 'Read the token of this admin from FILE'
complete -c luna -n '__luna_at \'luna fleet label\'' -l ca-file -r -F -d 'Trust the certificates in FILE (PEM) instead of the system\'s'
complete -c luna -n '__luna_at \'luna fleet label\'' -l proxy -x -d 'Use a proxy (http://HOST:PORT, socks5h://HOST:PORT); - for none'
complete -c luna -n '__luna_at \'luna fleet label\'' -l allow-plain-http -d 'Allow plain http to other machines: anybody on the network path can read the token'
complete -c luna -n '__luna_at \'luna fleet label\'' -l sign-in -x -d 'Use the token of who has signed in with luna login'
complete -c luna -n '__luna_at \'luna fleet label\'' -l account-refusal -x -a 'lenient\\twhen\\ the\\ issuer\\ has\\ ended\\ it strict\\tat\\ every\\ answer\\ to\\ a\\ renewal\\ but\\ a\\ good\\ one' -d 'With --sign-in: when it is over without luna logout'
complete -c luna -n '__luna_at \'luna fleet label\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna fleet label\'' -l utc -d 'Times are in UTC, not local'
complete -c luna -n '__luna_at \'luna fleet label\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna fleet label\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna fleet label\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna fleet label\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna fleet label\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna fleet devices\'' -l approve -x -d 'This one may be here'
complete -c luna -n '__luna_at \'luna fleet devices\'' -l forget -x -d 'Hide this one until it is heard a day later'
complete -c luna -n '__luna_at \'luna fleet devices\'' -l edit -x -d 'Change fields of this one'
complete -c luna -n '__luna_at \'luna fleet devices\'' -l name -x -d 'Its name'
complete -c luna -n '__luna_at \'luna fleet devices\'' -l priority -x -d 'low, normal, high or critical'
complete -c luna -n '__luna_at \'luna fleet devices\'' -l place -x -d 'Where it is, in words'
complete -c luna -n '__luna_at \'luna fleet devices\'' -l manufacturer -x -d 'Who made it'
complete -c luna -n '__luna_at \'luna fleet devices\'' -l picture -x -d 'Its picture'
complete -c luna -n '__luna_at \'luna fleet devices\'' -l format -x -a 'table jsonl csv' -d 'table, jsonl or csv'
complete -c luna -n '__luna_at \'luna fleet devices\'' -l backend -x -d 'The backend, https://HOST[:PORT]'
complete -c luna -n '__luna_at \'luna fleet devices\'' -l token-file -r -F -d 'Read the token of this admin from FILE'
complete -c luna -n '__luna_at \'luna fleet devices\'' -l ca-file -r -F -d 'Trust the certificates in FILE (PEM) instead of the system\'s'
complete -c luna -n '__luna_at \'luna fleet devices\'' -l proxy -x -d 'Use a proxy (http://HOST:PORT, socks5h://HOST:PORT); - for none'
complete -c luna -n '__luna_at \'luna fleet devices\'' -l allow-plain-http -d 'Allow plain http to other machines: anybody on the network path can read the token'
complete -c luna -n '__luna_at \'luna fleet devices\'' -l sign-in -x -d 'Use the token of who has signed in with luna login'
complete -c luna -n '__luna_at \'luna fleet devices\'' -l account-refusal -x -a 'lenient\\twhen\\ the\\ issuer\\ has\\ ended\\ it strict\\tat\\ every\\ answer\\ to\\ a\\ renewal\\ but\\ a\\ good\\ one' -d 'With --sign-in: when it is over without luna logout'
complete -c luna -n '__luna_at \'luna fleet devices\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna fleet devices\'' -l utc -d 'Times are in UTC, not local'
complete -c luna -n '__luna_at \'luna fleet devices\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna fleet devices\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna fleet devices\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna fleet devices\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna fleet devices\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna fleet history\'' -l format -x -a 'table jsonl csv' -d 'table, jsonl or csv'
complete -c luna -n '__luna_at \'luna fleet history\'' -l backend -x -d 'The backend, https://HOST[:PORT]'
complete -c luna -n '__luna_at \'luna fleet history\'' -l token-file -r -F -d 'Read the token of this admin from FILE'
complete -c luna -n '__luna_at \'luna fleet history\'' -l ca-file -r -F -d 'Trust the certificates in FILE (PEM) instead of the system\'s'
complete -c luna -n '__luna_at \'luna fleet history\'' -l proxy -x -d 'Use a proxy (http://HOST:PORT, socks5h://HOST:PORT); - for none'
complete -c luna -n '__luna_at \'luna fleet history\'' -l allow-plain-http -d 'Allow plain http to other machines: anybody on the network path can read the token'
complete -c luna -n '__luna_at \'luna fleet history\'' -l sign-in -x -d 'Use the token of who has signed in with luna login'
complete -c luna -n '__luna_at \'luna fleet history\'' -l account-refusal -x -a 'lenient\\twhen\\ the\\ issuer\\ has\\ ended\\ it strict\\tat\\ every\\ answer\\ to\\ a\\ renewal\\ but\\ a\\ good\\ one' -d 'With --sign-in: when it is over without luna logout'
complete -c luna -n '__luna_at \'luna fleet history\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna fleet history\'' -l utc -d 'Times are in UTC, not local'
complete -c luna -n '__luna_at \'luna fleet history\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna fleet history\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna fleet history\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna fleet history\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna fleet history\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna fleet export\'' -l search -x -d 'Only what a search finds'
complete -c luna -n '__luna_at \'luna fleet export\'' -l format -x -a 'jsonl csv' -d 'jsonl or csv'
complete -c luna -n '__luna_at \'luna fleet export\'' -l backend -x -d 'The backend, https://HOST[:PORT]'
complete -c luna -n '__luna_at \'luna fleet export\'' -l token-file -r -F -d 'Read the token of this admin from FILE'
complete -c luna -n '__luna_at \'luna fleet export\'' -l ca-file -r -F -d 'Trust the certificates in FILE (PEM) instead of the system\'s'
complete -c luna -n '__luna_at \'luna fleet export\'' -l proxy -x -d 'Use a proxy (http://HOST:PORT, socks5h://HOST:PORT); - for none'
complete -c luna -n '__luna_at \'luna fleet export\'' -l allow-plain-http -d 'Allow plain http to other machines: anybody on the network path can read the token'
complete -c luna -n '__luna_at \'luna fleet export\'' -l sign-in -x -d 'Use the token of who has signed in with luna login'
complete -c luna -n '__luna_at \'luna fleet export\'' -l account-refusal -x -a 'lenient\\twhen\\ the\\ issuer\\ has\\ ended\\ it strict\\tat\\ every\\ answer\\ to\\ a\\ renewal\\ but\\ a\\ good\\ one' -d 'With --sign-in: when it is over without luna logout'
complete -c luna -n '__luna_at \'luna fleet export\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna fleet export\'' -l utc -d 'Times are in UTC, not local'
complete -c luna -n '__luna_at \'luna fleet export\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna fleet export\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna fleet export\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna fleet export\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna fleet export\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna fleet import\'' -l dry-run -d 'Only say whether it could be done'
complete -c luna -n '__luna_at \'luna fleet import\'' -l format -x -a 'table jsonl' -d 'table or jsonl'
complete -c luna -n '__luna_at \'luna fleet import\'' -l backend -x -d 'The backend, https://HOST[:PORT]'
complete -c luna -n '__luna_at \'luna fleet import\'' -l token-file -r -F -d 'Read the token of this admin from FILE'
complete -c luna -n '__luna_at \'luna fleet import\'' -l ca-file -r -F -d 'Trust the certificates in FILE (PEM) instead of the system\'s'
complete -c luna -n '__luna_at \'luna fleet import\'' -l proxy -x -d 'Use a proxy (http://HOST:PORT, socks5h://HOST:PORT); - for none'
complete -c luna -n '__luna_at \'luna fleet import\'' -l allow-plain-http -d 'Allow plain http to other machines: anybody on the network path can read the token'
complete -c luna -n '__luna_at \'luna fleet import\'' -l sign-in -x -d 'Use the token of who has signed in with luna login'
complete -c luna -n '__luna_at \'luna fleet import\'' -l account-refusal -x -a 'lenient\\twhen\\ the\\ issuer\\ has\\ ended\\ it strict\\tat\\ every\\ answer\\ to\\ a\\ renewal\\ but\\ a\\ good\\ one' -d 'With --sign-in: when it is over without luna logout'
complete -c luna -n '__luna_at \'luna fleet import\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna fleet import\'' -l utc -d 'Times are in UTC, not local'
complete -c luna -n '__luna_at \'luna fleet import\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna fleet import\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna fleet import\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna fleet import\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna fleet import\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna fleet import\' 0' -F
complete -c luna -n '__luna_at \'luna account\' 0' -a list -d 'List the accounts.'
complete -c luna -n '__luna_at \'luna account\' 0' -a add -d 'Make an account, and a link with which its person makes a password.'
complete -c luna -n '__luna_at \'luna account\' 0' -a edit -d 'Change the role of an account, or make another link for it.'
complete -c luna -n '__luna_at \'luna account\' 0' -a remove -d 'Remove an account, with all that it is signed in with.'
complete -c luna -n '__luna_at \'luna account\' 0' -a link -d 'Have who signs in at an issuer be this account.'
complete -c luna -n '__luna_at \'luna account\' 0' -a sessions -d 'List where an account is signed in, or end all of it.'
complete -c luna -n '__luna_at \'luna account\' 0' -a approve -d 'Sign in a program that shows a code, without a browser.'
complete -c luna -n '__luna_at \'luna account\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna account\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna account\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna account\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna account\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna account list\'' -l format -x -a 'table jsonl csv' -d 'table, jsonl or csv'
complete -c luna -n '__luna_at \'luna account list\'' -l store -x -d 'sqlite:FILE, or postgres:CONNECTION as libpq takes it'
complete -c luna -n '__luna_at \'luna account list\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna account list\'' -l utc -d 'Times are in UTC, not local'
complete -c luna -n '__luna_at \'luna account list\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna account list\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna account list\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna account list\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna account list\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna account add\'' -l role -x -a 'viewer\\treads operator\\talso\\ changes\\ gateways\\ and\\ devices admin\\talso\\ looks\\ after\\ accounts\\,\\ tokens\\ and\\ settings' -d 'What it may do'
complete -c luna -n '__luna_at \'luna account add\'' -l public-url -x -d 'Where browsers find the backend'
complete -c luna -n '__luna_at \'luna account add\'' -l format -x -a 'table jsonl csv' -d 'table, jsonl or csv'
complete -c luna -n '__luna_at \'luna account add\'' -l store -x -d 'sqlite:FILE, or postgres:CONNECTION as libpq takes it'
complete -c luna -n '__luna_at \'luna account add\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna account add\'' -l utc -d 'Times are in UTC, not local'
complete -c luna -n '__luna_at \'luna account add\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna account add\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna account add\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna account add\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna account add\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna account edit\'' -l role -x -a 'viewer\\treads operator\\talso\\ changes\\ gateways\\ and\\ devices admin\\talso\\ looks\\ after\\ accounts\\,\\ tokens\\ and\\ settings' -d 'What it may do from now on'
complete -c luna -n '__luna_at \'luna account edit\'' -l invite -d 'Make another link, for who has lost the password'
complete -c luna -n '__luna_at \'luna account edit\'' -l public-url -x -d 'Where browsers find the backend'
complete -c luna -n '__luna_at \'luna account edit\'' -l format -x -a 'table jsonl csv' -d 'table, jsonl or csv'
complete -c luna -n '__luna_at \'luna account edit\'' -l store -x -d 'sqlite:FILE, or postgres:CONNECTION as libpq takes it'
complete -c luna -n '__luna_at \'luna account edit\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna account edit\'' -l utc -d 'Times are in UTC, not local'
complete -c luna -n '__luna_at \'luna account edit\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna account edit\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna account edit\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna account edit\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna account edit\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna account remove\'' -l store -x -d 'sqlite:FILE, or postgres:CONNECTION as libpq takes it'
complete -c luna -n '__luna_at \'luna account remove\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna account remove\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna account remove\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna account remove\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna account remove\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna account remove\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna account link\'' -l issuer -x -d 'The issuer, exactly as it writes itself'
complete -c luna -n '__luna_at \'luna account link\'' -l subject -x -d 'What the issuer calls this person'
complete -c luna -n '__luna_at \'luna account link\'' -l store -x -d 'sqlite:FILE, or postgres:CONNECTION as libpq takes it'
complete -c luna -n '__luna_at \'luna account link\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna account link\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna account link\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna account link\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna account link\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna account link\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna account sessions\'' -l end -d 'End these sessions'
complete -c luna -n '__luna_at \'luna account sessions\'' -l format -x -a 'table jsonl csv' -d 'table, jsonl or csv'
complete -c luna -n '__luna_at \'luna account sessions\'' -l store -x -d 'sqlite:FILE, or postgres:CONNECTION as libpq takes it'
complete -c luna -n '__luna_at \'luna account sessions\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna account sessions\'' -l utc -d 'Times are in UTC, not local'
complete -c luna -n '__luna_at \'luna account sessions\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna account sessions\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna account sessions\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna account sessions\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna account sessions\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna account approve\'' -l account -x -d 'The account as which it is signed in'
complete -c luna -n '__luna_at \'luna account approve\'' -l key -x -d 'The name of a gateway'
complete -c luna -n '__luna_at \'luna account approve\'' -l deny -d 'Refuse it instead'
complete -c luna -n '__luna_at \'luna account approve\'' -l format -x -a 'table jsonl csv' -d 'table, jsonl or csv'
complete -c luna -n '__luna_at \'luna account approve\'' -l store -x -d 'sqlite:FILE, or postgres:CONNECTION as libpq takes it'
complete -c luna -n '__luna_at \'luna account approve\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna account approve\'' -l utc -d 'Times are in UTC, not local'
complete -c luna -n '__luna_at \'luna account approve\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna account approve\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna account approve\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna account approve\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna account approve\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna login\'' -l backend -x -d 'The backend, https://HOST[:PORT]'
complete -c luna -n '__luna_at \'luna login\'' -l issuer -x -d 'Who signs people in, as it calls itself'
complete -c luna -n '__luna_at \'luna login\'' -l client-id -x -d 'This program, as the issuer knows it'
complete -c luna -n '__luna_at \'luna login\'' -l device-endpoint -x -d 'Where codes for --device are asked for, when the issuer does not tell'
complete -c luna -n '__luna_at \'luna login\'' -l device -d 'With a code that is entered on another device'
complete -c luna -n '__luna_at \'luna login\'' -l browser -d 'In a browser of this machine'
complete -c luna -n '__luna_at \'luna login\'' -l paste -d 'In a browser elsewhere; paste what it ends at'
complete -c luna -n '__luna_at \'luna login\'' -l demo -d 'As nobody in particular, at a demonstration on this machine'
complete -c luna -n '__luna_at \'luna login\'' -l as -x -a 'gateway\\ta\\ gateway owner\\twho\\ has\\ trackers account\\ta\\ person' -d 'gateway[:KEY], owner or account'
complete -c luna -n '__luna_at \'luna login\'' -l scope -x -d 'What the token is to be for'
complete -c luna -n '__luna_at \'luna login\'' -l redirect-port -x -d 'The port at which the browser comes back'
complete -c luna -n '__luna_at \'luna login\'' -l profile -x -d 'Which of several sign-ins'
complete -c luna -n '__luna_at \'luna login\'' -l account-refusal -x -a 'lenient\\twhen\\ the\\ issuer\\ has\\ ended\\ it strict\\tat\\ every\\ answer\\ to\\ a\\ renewal\\ but\\ a\\ good\\ one' -d 'When it is over without luna logout'
complete -c luna -n '__luna_at \'luna login\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna login\'' -l ca-file -r -F -d 'Trust the certificates in FILE (PEM) instead of the system\'s'
complete -c luna -n '__luna_at \'luna login\'' -l proxy -x -d 'Use a proxy (http://HOST:PORT, socks5h://HOST:PORT); - for none'
complete -c luna -n '__luna_at \'luna login\'' -l format -x -a 'table jsonl' -d 'table or jsonl'
complete -c luna -n '__luna_at \'luna login\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna login\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna login\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna login\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna login\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna logout\'' -l keep-grant -d 'Do not tell the issuer that the sign-in is over'
complete -c luna -n '__luna_at \'luna logout\'' -l profile -x -d 'Which of several sign-ins'
complete -c luna -n '__luna_at \'luna logout\'' -l account-refusal -x -a 'lenient\\twhen\\ the\\ issuer\\ has\\ ended\\ it strict\\tat\\ every\\ answer\\ to\\ a\\ renewal\\ but\\ a\\ good\\ one' -d 'When it is over without luna logout'
complete -c luna -n '__luna_at \'luna logout\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna logout\'' -l ca-file -r -F -d 'Trust the certificates in FILE (PEM) instead of the system\'s'
complete -c luna -n '__luna_at \'luna logout\'' -l proxy -x -d 'Use a proxy (http://HOST:PORT, socks5h://HOST:PORT); - for none'
complete -c luna -n '__luna_at \'luna logout\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna logout\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna logout\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna logout\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna logout\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna whoami\'' -l backend -x -d 'Ask this backend for the role'
complete -c luna -n '__luna_at \'luna whoami\'' -l profile -x -d 'Which of several sign-ins'
complete -c luna -n '__luna_at \'luna whoami\'' -l account-refusal -x -a 'lenient\\twhen\\ the\\ issuer\\ has\\ ended\\ it strict\\tat\\ every\\ answer\\ to\\ a\\ renewal\\ but\\ a\\ good\\ one' -d 'When it is over without luna logout'
complete -c luna -n '__luna_at \'luna whoami\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna whoami\'' -l ca-file -r -F -d 'Trust the certificates in FILE (PEM) instead of the system\'s'
complete -c luna -n '__luna_at \'luna whoami\'' -l proxy -x -d 'Use a proxy (http://HOST:PORT, socks5h://HOST:PORT); - for none'
complete -c luna -n '__luna_at \'luna whoami\'' -l format -x -a 'table jsonl' -d 'table or jsonl'
complete -c luna -n '__luna_at \'luna whoami\'' -l utc -d 'Times are in UTC, not local'
complete -c luna -n '__luna_at \'luna whoami\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna whoami\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna whoami\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna whoami\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna whoami\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna token\' 0' -a show -d 'Print a token that holds, renewed where it is due.'
complete -c luna -n '__luna_at \'luna token\' 0' -a refresh -d 'Renew the tokens where they are due.'
complete -c luna -n '__luna_at \'luna token\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna token\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna token\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna token\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna token\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna token show\'' -l mode -x -a 'jwt accessToken' -d 'accessToken, or jwt for the ID token'
complete -c luna -n '__luna_at \'luna token show\'' -l format -x -a 'table jsonl' -d 'table or jsonl'
complete -c luna -n '__luna_at \'luna token show\'' -l profile -x -d 'Which of several sign-ins'
complete -c luna -n '__luna_at \'luna token show\'' -l account-refusal -x -a 'lenient\\twhen\\ the\\ issuer\\ has\\ ended\\ it strict\\tat\\ every\\ answer\\ to\\ a\\ renewal\\ but\\ a\\ good\\ one' -d 'When it is over without luna logout'
complete -c luna -n '__luna_at \'luna token show\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna token show\'' -l ca-file -r -F -d 'Trust the certificates in FILE (PEM) instead of the system\'s'
complete -c luna -n '__luna_at \'luna token show\'' -l proxy -x -d 'Use a proxy (http://HOST:PORT, socks5h://HOST:PORT); - for none'
complete -c luna -n '__luna_at \'luna token show\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna token show\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna token show\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna token show\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna token show\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna token refresh\'' -l force -d 'Also where they are not due'
complete -c luna -n '__luna_at \'luna token refresh\'' -l profile -x -d 'Which of several sign-ins'
complete -c luna -n '__luna_at \'luna token refresh\'' -l account-refusal -x -a 'lenient\\twhen\\ the\\ issuer\\ has\\ ended\\ it strict\\tat\\ every\\ answer\\ to\\ a\\ renewal\\ but\\ a\\ good\\ one' -d 'When it is over without luna logout'
complete -c luna -n '__luna_at \'luna token refresh\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna token refresh\'' -l ca-file -r -F -d 'Trust the certificates in FILE (PEM) instead of the system\'s'
complete -c luna -n '__luna_at \'luna token refresh\'' -l proxy -x -d 'Use a proxy (http://HOST:PORT, socks5h://HOST:PORT); - for none'
complete -c luna -n '__luna_at \'luna token refresh\'' -l utc -d 'Times are in UTC, not local'
complete -c luna -n '__luna_at \'luna token refresh\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna token refresh\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna token refresh\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna token refresh\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna token refresh\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna telemetry\' 0' -a status -d 'Show what telemetry waits, what the backend did not want, and what was lost.'
complete -c luna -n '__luna_at \'luna telemetry\' 0' -a flush -d 'Send what telemetry waits now.'
complete -c luna -n '__luna_at \'luna telemetry\' 0' -a log -d 'Record an event.'
complete -c luna -n '__luna_at \'luna telemetry\' 0' -a time -d 'Run a program, and record how long it takes.'
complete -c luna -n '__luna_at \'luna telemetry\' 0' -a clear -d 'Drop what telemetry waits, what the backend did not want, and the counts of losses.'
complete -c luna -n '__luna_at \'luna telemetry\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna telemetry\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna telemetry\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna telemetry\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna telemetry\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna telemetry status\'' -l format -x -a 'table jsonl' -d 'table or jsonl'
complete -c luna -n '__luna_at \'luna telemetry status\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna telemetry status\'' -l utc -d 'Times are in UTC, not local'
complete -c luna -n '__luna_at \'luna telemetry status\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna telemetry status\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna telemetry status\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna telemetry status\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna telemetry status\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna telemetry flush\'' -l format -x -a 'table jsonl' -d 'table or jsonl'
complete -c luna -n '__luna_at \'luna telemetry flush\'' -l backend -x -d 'The backend, https://HOST[:PORT]'
complete -c luna -n '__luna_at \'luna telemetry flush\'' -l token-file -r -F -d 'Read the token of this gateway from FILE'
complete -c luna -n '__luna_at \'luna telemetry flush\'' -l ca-file -r -F -d 'Trust the certificates in FILE (PEM) instead of the system\'s'
complete -c luna -n '__luna_at \'luna telemetry flush\'' -l proxy -x -d 'Use a proxy (http://HOST:PORT, socks5h://HOST:PORT); - for none'
complete -c luna -n '__luna_at \'luna telemetry flush\'' -l allow-plain-http -d 'Allow plain http to other machines: anybody on the network path can read the token'
complete -c luna -n '__luna_at \'luna telemetry flush\'' -l sign-in -x -d 'Use the token of who has signed in with luna login'
complete -c luna -n '__luna_at \'luna telemetry flush\'' -l account-refusal -x -a 'lenient\\twhen\\ the\\ issuer\\ has\\ ended\\ it strict\\tat\\ every\\ answer\\ to\\ a\\ renewal\\ but\\ a\\ good\\ one' -d 'With --sign-in: when it is over without luna logout'
complete -c luna -n '__luna_at \'luna telemetry flush\'' -l telemetry-root -x -d 'The first part of all keys'
complete -c luna -n '__luna_at \'luna telemetry flush\'' -l telemetry-mode -x -a 'jwt accessToken' -d 'With --sign-in: send it with the accessToken, or jwt, the ID token'
complete -c luna -n '__luna_at \'luna telemetry flush\'' -l when-signed-out -x -a 'keep drop' -d 'With --sign-in, while nobody is: keep or drop what waits'
complete -c luna -n '__luna_at \'luna telemetry flush\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna telemetry flush\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna telemetry flush\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna telemetry flush\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna telemetry flush\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna telemetry flush\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna telemetry log\'' -l telemetry-root -x -d 'The first part of all keys'
complete -c luna -n '__luna_at \'luna telemetry log\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna telemetry log\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna telemetry log\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna telemetry log\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna telemetry log\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna telemetry log\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna telemetry time\'' -l telemetry-root -x -d 'The first part of all keys'
complete -c luna -n '__luna_at \'luna telemetry time\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna telemetry time\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna telemetry time\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna telemetry time\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna telemetry time\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna telemetry time\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna telemetry clear\'' -l format -x -a 'table jsonl' -d 'table or jsonl'
complete -c luna -n '__luna_at \'luna telemetry clear\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna telemetry clear\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna telemetry clear\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna telemetry clear\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna telemetry clear\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna telemetry clear\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna home\' 0' -a run -d 'Run a home: listen, judge the rules, and do what they ask for.'
complete -c luna -n '__luna_at \'luna home\' 0' -a init -d 'Write a file for a home, with your trackers.'
complete -c luna -n '__luna_at \'luna home\' 0' -a check -d 'Find all mistakes in the file of a home.'
complete -c luna -n '__luna_at \'luna home\' 0' -a show -d 'Show what holds for a home, and where it was said.'
complete -c luna -n '__luna_at \'luna home\' 0' -a schema -d 'Print the keys of a home\'s file as a JSON Schema.'
complete -c luna -n '__luna_at \'luna home\' 0' -a migrate -d 'Rewrite the file of a home in today\'s form.'
complete -c luna -n '__luna_at \'luna home\' 0' -a do -d 'Ask something of a tracker, by the home that runs.'
complete -c luna -n '__luna_at \'luna home\' 0' -a link -d 'Print a link that signs you in to the app of the home that runs.'
complete -c luna -n '__luna_at \'luna home\' 0' -a account -d 'Look after the accounts of a home.'
complete -c luna -n '__luna_at \'luna home\' 0' -a export -d 'Write what the rules of a home were told on a day.'
complete -c luna -n '__luna_at \'luna home\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna home\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna home\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna home\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna home\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna home run\'' -l demo -d 'Simulate a room, trackers and a week'
complete -c luna -n '__luna_at \'luna home run\'' -l format -x -a 'text\\ta\\ plain\\ log\\,\\ for\\ the\\ journal\\ of\\ a\\ service jsonl\\ta\\ JSON\\ object\\ on\\ each\\ line' -d 'text or jsonl'
complete -c luna -n '__luna_at \'luna home run\'' -l speed -x -d 'Run protocol time N times faster; needs --epoch'
complete -c luna -n '__luna_at \'luna home run\'' -l epoch -x -d 'When protocol time equals real time, the same for all programs of a test: 2026-11-21 10:00, yesterday, yesterday 09:00, 15:00 (today), 24h (so long ago)'
complete -c luna -n '__luna_at \'luna home run\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna home run\'' -l passphrase-file -r -F -d 'Read the passphrase for sealed keys from FILE; - is standard input'
complete -c luna -n '__luna_at \'luna home run\'' -l utc -d 'Times are in UTC, not local'
complete -c luna -n '__luna_at \'luna home run\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna home run\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna home run\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna home run\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna home run\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna home run\' 0' -F
complete -c luna -n '__luna_at \'luna home init\'' -l force -d 'Overwrite an existing file'
complete -c luna -n '__luna_at \'luna home init\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna home init\'' -l passphrase-file -r -F -d 'Read the passphrase for sealed keys from FILE; - is standard input'
complete -c luna -n '__luna_at \'luna home init\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna home init\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna home init\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna home init\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna home init\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna home init\' 0' -F
complete -c luna -n '__luna_at \'luna home check\'' -l fix -d 'Insert missing commas into FILE'
complete -c luna -n '__luna_at \'luna home check\'' -l format -x -a 'table jsonl' -d 'table or jsonl'
complete -c luna -n '__luna_at \'luna home check\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna home check\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna home check\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna home check\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna home check\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna home check\' 0' -F
complete -c luna -n '__luna_at \'luna home show\'' -l objects -d 'What people have made in the app, to paste'
complete -c luna -n '__luna_at \'luna home show\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna home show\'' -l format -x -a 'table jsonl csv' -d 'table, jsonl or csv'
complete -c luna -n '__luna_at \'luna home show\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna home show\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna home show\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna home show\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna home show\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna home show\' 0' -F
complete -c luna -n '__luna_at \'luna home schema\'' -l keys -d 'List the keys, with what they mean'
complete -c luna -n '__luna_at \'luna home schema\'' -l format -x -a 'table jsonl csv' -d 'table, jsonl or csv'
complete -c luna -n '__luna_at \'luna home schema\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna home schema\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna home schema\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna home schema\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna home schema\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna home migrate\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna home migrate\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna home migrate\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna home migrate\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna home migrate\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna home migrate\' 0' -F
complete -c luna -n '__luna_at \'luna home do\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna home do\'' -l format -x -a 'table jsonl' -d 'table or jsonl'
complete -c luna -n '__luna_at \'luna home do\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna home do\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna home do\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna home do\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna home do\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna home link\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna home link\'' -l format -x -a 'table jsonl' -d 'table or jsonl'
complete -c luna -n '__luna_at \'luna home link\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna home link\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna home link\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna home link\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna home link\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna home account\' 0' -a list -d 'List the accounts, with what they may and until when.'
complete -c luna -n '__luna_at \'luna home account\' 0' -a add -d 'Make an account, and a link with which its person makes a password.'
complete -c luna -n '__luna_at \'luna home account\' 0' -a invite -d 'Invite a guest, who sees some trackers from now on, and rings some.'
complete -c luna -n '__luna_at \'luna home account\' 0' -a edit -d 'Change what an account may do: its role, its trackers, when that ends.'
complete -c luna -n '__luna_at \'luna home account\' 0' -a reset -d 'Make a link with which somebody makes another password.'
complete -c luna -n '__luna_at \'luna home account\' 0' -a remove -d 'Remove an account, with all that it is signed in with.'
complete -c luna -n '__luna_at \'luna home account\' 0' -a token -d 'Look after the tokens of programs.'
complete -c luna -n '__luna_at \'luna home account\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna home account\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna home account\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna home account\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna home account\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna home account list\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna home account list\'' -l format -x -a 'table jsonl csv' -d 'table, jsonl or csv'
complete -c luna -n '__luna_at \'luna home account list\'' -l utc -d 'Times are in UTC, not local'
complete -c luna -n '__luna_at \'luna home account list\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna home account list\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna home account list\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna home account list\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna home account list\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna home account add\'' -l role -x -a 'guest\\tsees\\ and\\ rings\\ some\\ trackers member\\tsees\\ and\\ uses\\ all\\ trackers owner\\talso\\ looks\\ after\\ accounts' -d 'What it may do'
complete -c luna -n '__luna_at \'luna home account add\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna home account add\'' -l format -x -a 'table jsonl' -d 'table or jsonl'
complete -c luna -n '__luna_at \'luna home account add\'' -l utc -d 'Times are in UTC, not local'
complete -c luna -n '__luna_at \'luna home account add\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna home account add\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna home account add\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna home account add\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna home account add\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna home account invite\'' -l trackers -x -d 'Those that they see and ring, with commas between'
complete -c luna -n '__luna_at \'luna home account invite\'' -l see -x -d 'Those that they only see'
complete -c luna -n '__luna_at \'luna home account invite\'' -l until -x -d 'Until when: 2026-12-24 18:00, 18:00 (today)'
complete -c luna -n '__luna_at \'luna home account invite\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna home account invite\'' -l format -x -a 'table jsonl' -d 'table or jsonl'
complete -c luna -n '__luna_at \'luna home account invite\'' -l utc -d 'Times are in UTC, not local'
complete -c luna -n '__luna_at \'luna home account invite\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna home account invite\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna home account invite\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna home account invite\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna home account invite\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna home account edit\'' -l role -x -a 'guest\\tsees\\ and\\ rings\\ some\\ trackers member\\tsees\\ and\\ uses\\ all\\ trackers owner\\talso\\ looks\\ after\\ accounts' -d 'What it may do'
complete -c luna -n '__luna_at \'luna home account edit\'' -l trackers -x -d 'All that they see and ring, with commas between'
complete -c luna -n '__luna_at \'luna home account edit\'' -l see -x -d 'All that they only see'
complete -c luna -n '__luna_at \'luna home account edit\'' -l until -x -d 'Until when: 2026-12-24 18:00'
complete -c luna -n '__luna_at \'luna home account edit\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna home account edit\'' -l format -x -a 'table jsonl' -d 'table or jsonl'
complete -c luna -n '__luna_at \'luna home account edit\'' -l utc -d 'Times are in UTC, not local'
complete -c luna -n '__luna_at \'luna home account edit\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna home account edit\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna home account edit\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna home account edit\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna home account edit\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna home account reset\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna home account reset\'' -l format -x -a 'table jsonl' -d 'table or jsonl'
complete -c luna -n '__luna_at \'luna home account reset\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna home account reset\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna home account reset\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna home account reset\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna home account reset\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna home account remove\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna home account remove\'' -l format -x -a 'table jsonl' -d 'table or jsonl'
complete -c luna -n '__luna_at \'luna home account remove\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna home account remove\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna home account remove\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna home account remove\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna home account remove\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna home account token\' 0' -a add -d 'Make a token; it is shown once.'
complete -c luna -n '__luna_at \'luna home account token\' 0' -a list -d 'List the tokens.'
complete -c luna -n '__luna_at \'luna home account token\' 0' -a revoke -d 'End a token at once.'
complete -c luna -n '__luna_at \'luna home account token\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna home account token\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna home account token\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna home account token\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna home account token\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna home account token add\'' -l role -x -a 'guest\\tsees\\ and\\ rings\\ some\\ trackers member\\tsees\\ and\\ uses\\ all\\ trackers owner\\talso\\ looks\\ after\\ accounts' -d 'What it may do'
complete -c luna -n '__luna_at \'luna home account token add\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna home account token add\'' -l format -x -a 'table jsonl' -d 'table or jsonl'
complete -c luna -n '__luna_at \'luna home account token add\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna home account token add\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna home account token add\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna home account token add\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna home account token add\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna home account token list\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna home account token list\'' -l format -x -a 'table jsonl csv' -d 'table, jsonl or csv'
complete -c luna -n '__luna_at \'luna home account token list\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna home account token list\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna home account token list\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna home account token list\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna home account token list\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna home account token revoke\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna home account token revoke\'' -l format -x -a 'table jsonl' -d 'table or jsonl'
complete -c luna -n '__luna_at \'luna home account token revoke\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna home account token revoke\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna home account token revoke\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna home account token revoke\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna home account token revoke\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna home export\'' -l day -x -d 'The day: 2026-05-01, yesterday; today without it'
complete -c luna -n '__luna_at \'luna home export\'' -s o -l output -r -F -d 'Write to FILE'
complete -c luna -n '__luna_at \'luna home export\'' -l force -d 'Overwrite an existing file'
complete -c luna -n '__luna_at \'luna home export\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna home export\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna home export\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna home export\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna home export\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna home export\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna rule\' 0' -a list -d 'List the rules of a home.'
complete -c luna -n '__luna_at \'luna rule\' 0' -a test -d 'Say what rules would have done, without doing it.'
complete -c luna -n '__luna_at \'luna rule\' 0' -a why -d 'Say why a rule ran, and why it did not.'
complete -c luna -n '__luna_at \'luna rule\' 0' -a snooze -d 'Put a rule of the home that runs to sleep, or wake it.'
complete -c luna -n '__luna_at \'luna rule\' 0' -a run -d 'Have a rule of the home that runs run now.'
complete -c luna -n '__luna_at \'luna rule\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna rule\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna rule\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna rule\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna rule\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna rule list\'' -l file -r -F -d 'The home\'s file'
complete -c luna -n '__luna_at \'luna rule list\'' -l time -d 'The next runs by the clock'
complete -c luna -n '__luna_at \'luna rule list\'' -l count -x -d 'With --time: how many of each rule'
complete -c luna -n '__luna_at \'luna rule list\'' -l format -x -a 'table jsonl csv' -d 'table, jsonl or csv'
complete -c luna -n '__luna_at \'luna rule list\'' -l utc -d 'Times are in UTC, not local'
complete -c luna -n '__luna_at \'luna rule list\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna rule list\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna rule list\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna rule list\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna rule list\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna rule test\'' -l replay -r -F -d 'What has happened; - is standard input'
complete -c luna -n '__luna_at \'luna rule test\'' -l who -x -d 'The tracker that a track is of'
complete -c luna -n '__luna_at \'luna rule test\'' -l from -x -d 'Nothing before this is told: 2026-11-21 10:00, yesterday, yesterday 09:00, 15:00 (today), 24h (so long ago)'
complete -c luna -n '__luna_at \'luna rule test\'' -l to -x -d 'What comes after this is left out'
complete -c luna -n '__luna_at \'luna rule test\'' -l expect -x -d 'How many runs there have to be'
complete -c luna -n '__luna_at \'luna rule test\'' -l file -r -F -d 'The home\'s file'
complete -c luna -n '__luna_at \'luna rule test\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna rule test\'' -l passphrase-file -r -F -d 'Read the passphrase for sealed keys from FILE; - is standard input'
complete -c luna -n '__luna_at \'luna rule test\'' -l format -x -a 'table jsonl' -d 'table or jsonl'
complete -c luna -n '__luna_at \'luna rule test\'' -l utc -d 'Times are in UTC, not local'
complete -c luna -n '__luna_at \'luna rule test\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna rule test\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna rule test\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna rule test\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna rule test\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna rule why\'' -l at -x -d 'What was up to then: 2026-11-21 10:00, yesterday, yesterday 09:00, 15:00 (today), 24h (so long ago)'
complete -c luna -n '__luna_at \'luna rule why\'' -l count -x -d 'How many'
complete -c luna -n '__luna_at \'luna rule why\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna rule why\'' -l format -x -a 'table jsonl' -d 'table or jsonl'
complete -c luna -n '__luna_at \'luna rule why\'' -l utc -d 'Times are in UTC, not local'
complete -c luna -n '__luna_at \'luna rule why\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna rule why\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna rule why\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna rule why\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna rule why\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna rule snooze\'' -l for -x -d 'For how long (30m, 8h)'
complete -c luna -n '__luna_at \'luna rule snooze\'' -l resume -d 'Wake it instead'
complete -c luna -n '__luna_at \'luna rule snooze\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna rule snooze\'' -l utc -d 'Times are in UTC, not local'
complete -c luna -n '__luna_at \'luna rule snooze\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna rule snooze\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna rule snooze\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna rule snooze\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna rule snooze\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna rule run\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna rule run\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna rule run\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna rule run\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna rule run\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna rule run\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna notify\' 0' -a test -d 'Send a test message, and show what is said meanwhile.'
complete -c luna -n '__luna_at \'luna notify\' 0' -a list -d 'List what is still to be told, and what could not be.'
complete -c luna -n '__luna_at \'luna notify\' 0' -a retry -d 'Have the home that runs tell somebody again what could not be told.'
complete -c luna -n '__luna_at \'luna notify\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna notify\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna notify\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna notify\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna notify\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna notify test\'' -l file -r -F -d 'The home\'s file'
complete -c luna -n '__luna_at \'luna notify test\'' -l format -x -a 'table jsonl' -d 'table or jsonl'
complete -c luna -n '__luna_at \'luna notify test\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna notify test\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna notify test\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna notify test\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna notify test\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna notify test\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna notify list\'' -l failed -d 'Only what could not be told'
complete -c luna -n '__luna_at \'luna notify list\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna notify list\'' -l format -x -a 'table jsonl csv' -d 'table, jsonl or csv'
complete -c luna -n '__luna_at \'luna notify list\'' -l utc -d 'Times are in UTC, not local'
complete -c luna -n '__luna_at \'luna notify list\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna notify list\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna notify list\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna notify list\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna notify list\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna notify retry\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna notify retry\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna notify retry\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna notify retry\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna notify retry\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna notify retry\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna contact\' 0' -a card -d 'Show your own contact card; make one where there is none.'
complete -c luna -n '__luna_at \'luna contact\' 0' -a add -d 'Add a contact by their card.'
complete -c luna -n '__luna_at \'luna contact\' 0' -a list -d 'List the contacts.'
complete -c luna -n '__luna_at \'luna contact\' 0' -a verify -d 'Say that the code of a contact was compared.'
complete -c luna -n '__luna_at \'luna contact\' 0' -a remove -d 'Remove a contact.'
complete -c luna -n '__luna_at \'luna contact\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna contact\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna contact\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna contact\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna contact\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna contact card\'' -l new -d 'Make another key'
complete -c luna -n '__luna_at \'luna contact card\'' -l name -x -d 'What you call yourself on a card that is made'
complete -c luna -n '__luna_at \'luna contact card\'' -l qr -d 'Draw the QR code'
complete -c luna -n '__luna_at \'luna contact card\'' -s o -l output -r -F -d 'Write a picture: .svg or .png'
complete -c luna -n '__luna_at \'luna contact card\'' -l force -d 'Overwrite an existing file'
complete -c luna -n '__luna_at \'luna contact card\'' -s y -l yes -d 'Do not ask'
complete -c luna -n '__luna_at \'luna contact card\'' -l format -x -a 'table jsonl' -d 'table or jsonl'
complete -c luna -n '__luna_at \'luna contact card\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna contact card\'' -l passphrase-file -r -F -d 'Read the passphrase for sealed keys from FILE; - is standard input'
complete -c luna -n '__luna_at \'luna contact card\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna contact card\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna contact card\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna contact card\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna contact card\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna contact add\'' -l email -x -d 'Where shares are mailed to'
complete -c luna -n '__luna_at \'luna contact add\'' -l card -x -d 'The card; - is standard input'
complete -c luna -n '__luna_at \'luna contact add\'' -l format -x -a 'table jsonl' -d 'table or jsonl'
complete -c luna -n '__luna_at \'luna contact add\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna contact add\'' -l passphrase-file -r -F -d 'Read the passphrase for sealed keys from FILE; - is standard input'
complete -c luna -n '__luna_at \'luna contact add\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna contact add\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna contact add\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna contact add\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna contact add\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna contact list\'' -l format -x -a 'table jsonl csv' -d 'table, jsonl or csv'
complete -c luna -n '__luna_at \'luna contact list\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna contact list\'' -l passphrase-file -r -F -d 'Read the passphrase for sealed keys from FILE; - is standard input'
complete -c luna -n '__luna_at \'luna contact list\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna contact list\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna contact list\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna contact list\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna contact list\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna contact verify\'' -s y -l yes -d 'Do not ask'
complete -c luna -n '__luna_at \'luna contact verify\'' -l format -x -a 'table jsonl' -d 'table or jsonl'
complete -c luna -n '__luna_at \'luna contact verify\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna contact verify\'' -l passphrase-file -r -F -d 'Read the passphrase for sealed keys from FILE; - is standard input'
complete -c luna -n '__luna_at \'luna contact verify\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna contact verify\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna contact verify\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna contact verify\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna contact verify\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna contact remove\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna contact remove\'' -l passphrase-file -r -F -d 'Read the passphrase for sealed keys from FILE; - is standard input'
complete -c luna -n '__luna_at \'luna contact remove\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna contact remove\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna contact remove\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna contact remove\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna contact remove\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna share\' 0' -a add -d 'Share a tracker with a contact.'
complete -c luna -n '__luna_at \'luna share\' 0' -a list -d 'List what you share, and what others share with you.'
complete -c luna -n '__luna_at \'luna share\' 0' -a show -d 'Show what you share, and what ending it cannot do.'
complete -c luna -n '__luna_at \'luna share\' 0' -a renew -d 'Make a share anew, so that it lasts longer.'
complete -c luna -n '__luna_at \'luna share\' 0' -a end -d 'End a share early, as far as the other side agrees.'
complete -c luna -n '__luna_at \'luna share\' 0' -a import -d 'Take what a contact shares, or ends.'
complete -c luna -n '__luna_at \'luna share\' 0' -a inspect -d 'Show what is in a share, and take nothing.'
complete -c luna -n '__luna_at \'luna share\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna share\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna share\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna share\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna share\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna share add\'' -l with -x -d 'With whom, where no argument says it'
complete -c luna -n '__luna_at \'luna share add\'' -l days -x -d 'For how many days'
complete -c luna -n '__luna_at \'luna share add\'' -l until -x -d 'Until then: 2026-12-24 18:00, 18:00 (today)'
complete -c luna -n '__luna_at \'luna share add\'' -l past -x -d 'Also the last N days'
complete -c luna -n '__luna_at \'luna share add\'' -l rights -x -d 'see; also status, ring, with commas between'
complete -c luna -n '__luna_at \'luna share add\'' -l status -d 'They also read its battery and state'
complete -c luna -n '__luna_at \'luna share add\'' -l ring -d 'They also make it sound'
complete -c luna -n '__luna_at \'luna share add\'' -l ring-seconds -x -d 'How long it rings'
complete -c luna -n '__luna_at \'luna share add\'' -l rings -x -a '1 2 4 8' -d 'How often in each 17 minutes: 1, 2, 4 or 8'
complete -c luna -n '__luna_at \'luna share add\'' -l backend -x -d 'Where you ask for reports of it'
complete -c luna -n '__luna_at \'luna share add\'' -l renew -d 'A home that runs makes it anew every 20 days, and mails it'
complete -c luna -n '__luna_at \'luna share add\'' -s o -l output -r -F -d 'Write the share to FILE; .svg or .png: its QR code'
complete -c luna -n '__luna_at \'luna share add\'' -l force -d 'Overwrite an existing file'
complete -c luna -n '__luna_at \'luna share add\'' -s y -l yes -d 'Do not ask'
complete -c luna -n '__luna_at \'luna share add\'' -l format -x -a 'table jsonl' -d 'table or jsonl'
complete -c luna -n '__luna_at \'luna share add\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna share add\'' -l passphrase-file -r -F -d 'Read the passphrase for sealed keys from FILE; - is standard input'
complete -c luna -n '__luna_at \'luna share add\'' -l utc -d 'Times are in UTC, not local'
complete -c luna -n '__luna_at \'luna share add\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna share add\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna share add\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna share add\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna share add\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna share list\'' -l format -x -a 'table jsonl csv' -d 'table, jsonl or csv'
complete -c luna -n '__luna_at \'luna share list\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna share list\'' -l passphrase-file -r -F -d 'Read the passphrase for sealed keys from FILE; - is standard input'
complete -c luna -n '__luna_at \'luna share list\'' -l utc -d 'Times are in UTC, not local'
complete -c luna -n '__luna_at \'luna share list\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna share list\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna share list\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna share list\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna share list\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna share show\'' -l format -x -a 'table jsonl' -d 'table or jsonl'
complete -c luna -n '__luna_at \'luna share show\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna share show\'' -l passphrase-file -r -F -d 'Read the passphrase for sealed keys from FILE; - is standard input'
complete -c luna -n '__luna_at \'luna share show\'' -l utc -d 'Times are in UTC, not local'
complete -c luna -n '__luna_at \'luna share show\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna share show\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna share show\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna share show\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna share show\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna share renew\'' -l days -x -d 'For how many days from now'
complete -c luna -n '__luna_at \'luna share renew\'' -l backend -x -d 'Where you ask for reports of it'
complete -c luna -n '__luna_at \'luna share renew\'' -s o -l output -r -F -d 'Write the share to FILE; .svg or .png: its QR code'
complete -c luna -n '__luna_at \'luna share renew\'' -l force -d 'Overwrite an existing file'
complete -c luna -n '__luna_at \'luna share renew\'' -l format -x -a 'table jsonl' -d 'table or jsonl'
complete -c luna -n '__luna_at \'luna share renew\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna share renew\'' -l passphrase-file -r -F -d 'Read the passphrase for sealed keys from FILE; - is standard input'
complete -c luna -n '__luna_at \'luna share renew\'' -l utc -d 'Times are in UTC, not local'
complete -c luna -n '__luna_at \'luna share renew\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna share renew\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna share renew\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna share renew\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna share renew\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna share end\'' -s o -l output -r -F -d 'Write the share to FILE; .svg or .png: its QR code'
complete -c luna -n '__luna_at \'luna share end\'' -l force -d 'Overwrite an existing file'
complete -c luna -n '__luna_at \'luna share end\'' -l format -x -a 'table jsonl' -d 'table or jsonl'
complete -c luna -n '__luna_at \'luna share end\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna share end\'' -l passphrase-file -r -F -d 'Read the passphrase for sealed keys from FILE; - is standard input'
complete -c luna -n '__luna_at \'luna share end\'' -l utc -d 'Times are in UTC, not local'
complete -c luna -n '__luna_at \'luna share end\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna share end\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna share end\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna share end\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna share end\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna share import\'' -l backend -x -d 'Where you ask for reports: compared with where its owner does'
complete -c luna -n '__luna_at \'luna share import\'' -l format -x -a 'table jsonl' -d 'table or jsonl'
complete -c luna -n '__luna_at \'luna share import\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna share import\'' -l passphrase-file -r -F -d 'Read the passphrase for sealed keys from FILE; - is standard input'
complete -c luna -n '__luna_at \'luna share import\'' -l utc -d 'Times are in UTC, not local'
complete -c luna -n '__luna_at \'luna share import\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna share import\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna share import\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna share import\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna share import\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna share import\' 0' -F
complete -c luna -n '__luna_at \'luna share inspect\'' -l backend -x -d 'Where you ask for reports: compared with where its owner does'
complete -c luna -n '__luna_at \'luna share inspect\'' -l format -x -a 'table jsonl' -d 'table or jsonl'
complete -c luna -n '__luna_at \'luna share inspect\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna share inspect\'' -l passphrase-file -r -F -d 'Read the passphrase for sealed keys from FILE; - is standard input'
complete -c luna -n '__luna_at \'luna share inspect\'' -l utc -d 'Times are in UTC, not local'
complete -c luna -n '__luna_at \'luna share inspect\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna share inspect\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna share inspect\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna share inspect\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna share inspect\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna share inspect\' 0' -F
complete -c luna -n '__luna_at \'luna tracker\' 0' -a create -d 'Make a tracker in software.'
complete -c luna -n '__luna_at \'luna tracker\' 0' -a run -d 'Put trackers on the air.'
complete -c luna -n '__luna_at \'luna tracker\' 0' -a list -d 'List the trackers in software.'
complete -c luna -n '__luna_at \'luna tracker\' 0' -a export -d 'Write the keys of trackers to a file for luna owner import.'
complete -c luna -n '__luna_at \'luna tracker\' 0' -a label -d 'Print the label of a tracker, or draw it.'
complete -c luna -n '__luna_at \'luna tracker\' 0' -a reset -d 'Reset trackers to factory state.'
complete -c luna -n '__luna_at \'luna tracker\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna tracker\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna tracker\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna tracker\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna tracker\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna tracker create\'' -l onboardable -d 'Leave it in factory state, and print its code'
complete -c luna -n '__luna_at \'luna tracker create\'' -l code-file -r -F -d 'Like --onboardable, but write the code to FILE (mode 0600)'
complete -c luna -n '__luna_at \'luna tracker create\'' -l force -d 'Overwrite an existing file'
complete -c luna -n '__luna_at \'luna tracker create\'' -l speed -x -d 'Run protocol time N times faster; needs --epoch'
complete -c luna -n '__luna_at \'luna tracker create\'' -l epoch -x -d 'When protocol time equals real time, the same for all programs of a test: 2026-11-21 10:00, yesterday, yesterday 09:00, 15:00 (today), 24h (so long ago)'
complete -c luna -n '__luna_at \'luna tracker create\'' -l utc -d 'Times are in UTC, not local'
complete -c luna -n '__luna_at \'luna tracker create\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna tracker create\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna tracker create\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna tracker create\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna tracker create\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna tracker create\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna tracker run\'' -l radio -x -a 'auto\\tthe\\ best\\ that\\ permissions\\ allow dbus\\tbluetoothd\\\'s\\ discovery\\;\\ needs\\ no\\ privilege exclusive\\ttake\\ the\\ adapter\\ away\\ from\\ all\\ other\\ programs h4:\\tan\\ HCI\\ controller\\ behind\\ TCP\\,\\ a\\ socket\\ or\\ a\\ serial\\ line virtual\\ta\\ simulated\\ room\\;\\ needs\\ no\\ adapter' -d 'auto, dbus, exclusive, h4:... or virtual'
complete -c luna -n '__luna_at \'luna tracker run\'' -s i -l adapter -x -d 'Advertise with this adapter'
complete -c luna -n '__luna_at \'luna tracker run\'' -s T -l duration -x -d 'Stop after TIME (10s, 5m, 1h), or at TIME (15:00)'
complete -c luna -n '__luna_at \'luna tracker run\'' -l drift -x -d 'Make the oscillators wrong by PPM parts per million'
complete -c luna -n '__luna_at \'luna tracker run\'' -l lose-clock -d 'The clocks were lost during the power cut'
complete -c luna -n '__luna_at \'luna tracker run\'' -l exec -x -d 'Run COMMAND when a tracker makes a sound'
complete -c luna -n '__luna_at \'luna tracker run\'' -l exec-on -x -d 'Run it for these events instead'
complete -c luna -n '__luna_at \'luna tracker run\'' -l speed -x -d 'Run protocol time N times faster; needs --epoch'
complete -c luna -n '__luna_at \'luna tracker run\'' -l epoch -x -d 'When protocol time equals real time, the same for all programs of a test: 2026-11-21 10:00, yesterday, yesterday 09:00, 15:00 (today), 24h (so long ago)'
complete -c luna -n '__luna_at \'luna tracker run\'' -l utc -d 'Times are in UTC, not local'
complete -c luna -n '__luna_at \'luna tracker run\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna tracker run\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna tracker run\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna tracker run\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna tracker run\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna tracker run\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna tracker list\'' -l codes -d 'Also print the onboarding codes'
complete -c luna -n '__luna_at \'luna tracker list\'' -l radio -x -a 'virtual' -d 'Use the trackers in the simulated room'
complete -c luna -n '__luna_at \'luna tracker list\'' -l format -x -a 'table jsonl csv' -d 'table, jsonl or csv'
complete -c luna -n '__luna_at \'luna tracker list\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna tracker list\'' -l utc -d 'Times are in UTC, not local'
complete -c luna -n '__luna_at \'luna tracker list\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna tracker list\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna tracker list\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna tracker list\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna tracker list\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna tracker export\'' -l radio -x -a 'virtual' -d 'Use the trackers in the simulated room'
complete -c luna -n '__luna_at \'luna tracker export\'' -l force -d 'Overwrite an existing file'
complete -c luna -n '__luna_at \'luna tracker export\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna tracker export\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna tracker export\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna tracker export\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna tracker export\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna tracker export\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna tracker export\' 0 more' -F
complete -c luna -n '__luna_at \'luna tracker label\'' -s o -l output -r -F -d 'Write a picture: .svg or .png'
complete -c luna -n '__luna_at \'luna tracker label\'' -l force -d 'Overwrite an existing file'
complete -c luna -n '__luna_at \'luna tracker label\'' -l code-file -r -F -d 'Take the code from FILE; - is standard input'
complete -c luna -n '__luna_at \'luna tracker label\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna tracker label\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna tracker label\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna tracker label\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna tracker label\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna tracker label\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna tracker reset\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna tracker reset\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna tracker reset\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna tracker reset\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna tracker reset\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna tracker reset\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna demo\'' -l fleet -d 'Show the console with a simulated fleet'
complete -c luna -n '__luna_at \'luna demo\'' -l force -d 'Overwrite an existing file'
complete -c luna -n '__luna_at \'luna demo\'' -l picture -r -F -d 'Draw the map to FILE (SVG)'
complete -c luna -n '__luna_at \'luna demo\'' -l keep -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep the databases in DIR, which must be empty or new'
complete -c luna -n '__luna_at \'luna demo\'' -l speed -x -d 'Run time N times faster'
complete -c luna -n '__luna_at \'luna demo\'' -l format -x -a 'text\\tfor\\ people jsonl\\ta\\ JSON\\ object\\ on\\ each\\ line' -d 'text or jsonl'
complete -c luna -n '__luna_at \'luna demo\'' -l utc -d 'Times are in UTC, not local'
complete -c luna -n '__luna_at \'luna demo\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna demo\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna demo\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna demo\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna demo\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna doctor\'' -l list -d 'List the checks and what each looks at'
complete -c luna -n '__luna_at \'luna doctor\'' -l location -x -a 'static:\\ta\\ fixed\\ place gpsd\\ta\\ satellite\\ receiver geoclue\\tthe\\ system\\\'s\\ location\\ service' -d 'Check this: static:LAT,LON[,ALT], gpsd[:HOST:PORT] or geoclue'
complete -c luna -n '__luna_at \'luna doctor\'' -s i -l adapter -x -d 'Check this adapter'
complete -c luna -n '__luna_at \'luna doctor\'' -l radio -x -a 'auto\\tthe\\ best\\ that\\ permissions\\ allow observe\\tthe\\ kernel\\\'s\\ monitor\\ channel\\,\\ alongside\\ bluetoothd mgmt\\tthe\\ kernel\\\'s\\ management\\ interface dbus\\tbluetoothd\\\'s\\ discovery\\;\\ needs\\ no\\ privilege exclusive\\ttake\\ the\\ adapter\\ away\\ from\\ all\\ other\\ programs h4:\\tan\\ HCI\\ controller\\ behind\\ TCP\\,\\ a\\ socket\\ or\\ a\\ serial\\ line virtual\\ta\\ simulated\\ room\\;\\ needs\\ no\\ adapter' -d 'Listen this way'
complete -c luna -n '__luna_at \'luna doctor\'' -s T -l duration -x -d 'How long to listen (5s, 1m), or until when (15:00)'
complete -c luna -n '__luna_at \'luna doctor\'' -l backend -x -d 'The backend, https://HOST[:PORT]'
complete -c luna -n '__luna_at \'luna doctor\'' -l token-file -r -F -d 'Read the token of this gateway from FILE'
complete -c luna -n '__luna_at \'luna doctor\'' -l ca-file -r -F -d 'Trust the certificates in FILE (PEM) instead of the system\'s'
complete -c luna -n '__luna_at \'luna doctor\'' -l proxy -x -d 'Use a proxy (http://HOST:PORT, socks5h://HOST:PORT); - for none'
complete -c luna -n '__luna_at \'luna doctor\'' -l allow-plain-http -d 'Allow plain http to other machines: anybody on the network path can read the token'
complete -c luna -n '__luna_at \'luna doctor\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna doctor\'' -l format -x -a 'table jsonl csv' -d 'table, jsonl or csv'
complete -c luna -n '__luna_at \'luna doctor\'' -l utc -d 'Times are in UTC, not local'
complete -c luna -n '__luna_at \'luna doctor\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna doctor\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna doctor\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna doctor\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna doctor\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna doctor\' 0 more' -a 'namespace\\tBluetooth\\ sockets\\ can\\ be\\ had\\ \\(not\\ in\\ every\\ container\\) adapter\\tthere\\ is\\ an\\ adapter\\ with\\ Bluetooth\\ LE power\\tthe\\ adapter\\ is\\ on rfkill\\tno\\ switch\\ blocks\\ it bluetoothd\\tbluetoothd\\ runs\\ and\\ answers\\;\\ its\\ version dbus\\tthe\\ system\\ bus\\ is\\ there\\ and\\ lets\\ this\\ user\\ speak\\ to\\ bluetoothd capabilities\\twhat\\ this\\ program\\ may\\ do\\,\\ and\\ which\\ radio\\ paths\\ follow kernel\\tknown\\ faults\\ of\\ this\\ kernel\\ and\\ its\\ driver autosuspend\\tthe\\ USB\\ device\\ is\\ not\\ suspended\\ while\\ it\\ scans scanner\\twho\\ else\\ uses\\ the\\ adapter clock\\tthe\\ clock\\ is\\ right\\,\\ and\\ agrees\\ with\\ the\\ backend\\\'s location\\tthe\\ location\\ source\\ has\\ a\\ fix backend\\tthe\\ backend\\ can\\ be\\ reached\\ and\\ trusted\\,\\ and\\ knows\\ the\\ token queue\\thow\\ much\\ waits\\ for\\ the\\ backend\\,\\ and\\ for\\ how\\ long disk\\tthere\\ is\\ room\\ for\\ state\\,\\ and\\ it\\ can\\ be\\ written state\\tthe\\ state\\ directory\\\'s\\ owner\\ and\\ mode\\;\\ its\\ databases\\ can\\ be\\ read units\\tthe\\ services\\ of\\ Luna\\ run\\ and\\ are\\ of\\ this\\ version listen\\ta\\ short\\ scan\\:\\ how\\ many\\ advertisers\\ are\\ heard'
complete -c luna -n '__luna_at \'luna setup\' 0' -a gateway -d 'Make this machine a gateway: configure, enrol and start luna finder.'
complete -c luna -n '__luna_at \'luna setup\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna setup\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna setup\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna setup\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna setup\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna setup gateway\'' -l code-file -r -F -d 'Read the enrolment code from FILE; - is standard input'
complete -c luna -n '__luna_at \'luna setup gateway\'' -l location -x -a 'static:\\ta\\ fixed\\ place gpsd\\ta\\ satellite\\ receiver geoclue\\tthe\\ system\\\'s\\ location\\ service' -d 'static:LAT,LON[,ALT], gpsd[:HOST:PORT] or geoclue'
complete -c luna -n '__luna_at \'luna setup gateway\'' -s i -l adapter -x -d 'Have the gateway listen on this adapter, or on the first that can be used'
complete -c luna -n '__luna_at \'luna setup gateway\'' -l duty -x -a 'auto full sparse' -d 'auto (little until a tracker is near), full, or sparse'
complete -c luna -n '__luna_at \'luna setup gateway\'' -s y -l yes -d 'Do not ask; what is not given is as by itself'
complete -c luna -n '__luna_at \'luna setup gateway\'' -l force -d 'Overwrite files that are there'
complete -c luna -n '__luna_at \'luna setup gateway\'' -l directory -x -a '(__fish_complete_directories (commandline -ct))' -d 'Write the configuration and the token into DIR'
complete -c luna -n '__luna_at \'luna setup gateway\'' -l no-service -d 'Do not start the service'
complete -c luna -n '__luna_at \'luna setup gateway\'' -l backend -x -d 'The backend, https://HOST[:PORT]'
complete -c luna -n '__luna_at \'luna setup gateway\'' -l token-file -r -F -d 'Read the token of this gateway from FILE'
complete -c luna -n '__luna_at \'luna setup gateway\'' -l ca-file -r -F -d 'Trust the certificates in FILE (PEM) instead of the system\'s'
complete -c luna -n '__luna_at \'luna setup gateway\'' -l proxy -x -d 'Use a proxy (http://HOST:PORT, socks5h://HOST:PORT); - for none'
complete -c luna -n '__luna_at \'luna setup gateway\'' -l allow-plain-http -d 'Allow plain http to other machines: anybody on the network path can read the token'
complete -c luna -n '__luna_at \'luna setup gateway\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna setup gateway\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna setup gateway\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna setup gateway\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna setup gateway\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna config\' 0' -a show -d 'Show what holds for options, and where it was said.'
complete -c luna -n '__luna_at \'luna config\' 0' -a check -d 'Find all mistakes in configuration files and in the environment.'
complete -c luna -n '__luna_at \'luna config\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna config\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna config\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna config\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna config\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna config show\'' -l format -x -a 'table jsonl csv' -d 'table, jsonl or csv'
complete -c luna -n '__luna_at \'luna config show\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna config show\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna config show\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna config show\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna config show\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna config check\'' -l format -x -a 'table jsonl' -d 'table or jsonl'
complete -c luna -n '__luna_at \'luna config check\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna config check\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna config check\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna config check\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna config check\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna adapters\'' -l format -x -a 'table jsonl csv' -d 'table, jsonl or csv'
complete -c luna -n '__luna_at \'luna adapters\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna adapters\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna adapters\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna adapters\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna adapters\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna capture\'' -l rotate -x -d 'Begin a new file each TIME (1h), or at SIZE (100M)'
complete -c luna -n '__luna_at \'luna capture\'' -l keep -x -d 'With --rotate: delete all but the last N files'
complete -c luna -n '__luna_at \'luna capture\'' -s i -l adapter -x -d 'Listen on this adapter'
complete -c luna -n '__luna_at \'luna capture\'' -l radio -x -a 'auto\\tthe\\ best\\ that\\ permissions\\ allow observe\\tthe\\ kernel\\\'s\\ monitor\\ channel\\,\\ alongside\\ bluetoothd mgmt\\tthe\\ kernel\\\'s\\ management\\ interface dbus\\tbluetoothd\\\'s\\ discovery\\;\\ needs\\ no\\ privilege exclusive\\ttake\\ the\\ adapter\\ away\\ from\\ all\\ other\\ programs h4:\\tan\\ HCI\\ controller\\ behind\\ TCP\\,\\ a\\ socket\\ or\\ a\\ serial\\ line virtual\\ta\\ simulated\\ room\\;\\ needs\\ no\\ adapter' -d 'How to listen; h4: takes tcp:HOST:PORT or a path, virtual: takes a seed'
complete -c luna -n '__luna_at \'luna capture\'' -s r -l read -r -F -d 'Read a capture (btsnoop, pcap, pcapng); - is standard input'
complete -c luna -n '__luna_at \'luna capture\'' -l realtime -d 'With --read: play at the recorded pace'
complete -c luna -n '__luna_at \'luna capture\'' -s w -l write -r -F -d 'Record what is heard (.btsnoop or .pcapng)'
complete -c luna -n '__luna_at \'luna capture\'' -l force -d 'With --write: overwrite an existing file'
complete -c luna -n '__luna_at \'luna capture\'' -s T -l duration -x -d 'Stop after TIME (10s, 5m, 1h), or at TIME (15:00)'
complete -c luna -n '__luna_at \'luna capture\'' -s c -l count -x -d 'Stop after showing N advertisements'
complete -c luna -n '__luna_at \'luna capture\'' -l active -d 'Request scan responses from advertisers'
complete -c luna -n '__luna_at \'luna capture\'' -l passive -d 'Only listen; transmit nothing'
complete -c luna -n '__luna_at \'luna capture\'' -l phy -x -a '(__luna_list 1m coded)' -d 'Primary PHYs to listen on: 1m, coded'
complete -c luna -n '__luna_at \'luna capture\'' -l speed -x -d 'Run protocol time N times faster; needs --epoch'
complete -c luna -n '__luna_at \'luna capture\'' -l epoch -x -d 'When protocol time equals real time, the same for all programs of a test: 2026-11-21 10:00, yesterday, yesterday 09:00, 15:00 (today), 24h (so long ago)'
complete -c luna -n '__luna_at \'luna capture\'' -l utc -d 'Times are in UTC, not local'
complete -c luna -n '__luna_at \'luna capture\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna capture\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna capture\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna capture\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna capture\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna decode\'' -l hci -d 'The inputs are whole HCI events'
complete -c luna -n '__luna_at \'luna decode\'' -l address -x -d 'The random address the data came from; some families keep part of their data there'
complete -c luna -n '__luna_at \'luna decode\'' -l format -x -a 'table jsonl' -d 'table or jsonl'
complete -c luna -n '__luna_at \'luna decode\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna decode\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna decode\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna decode\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna decode\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna keys\'' -l master-key-file -r -F -d 'The master key, 64 hexadecimal digits; - is standard input'
complete -c luna -n '__luna_at \'luna keys\'' -l device -x -d 'Use the key of an onboarded device'
complete -c luna -n '__luna_at \'luna keys\'' -l at -x -d 'Start with the period at TIME: 2026-11-21 10:00, yesterday, yesterday 09:00, 15:00 (today), 24h (so long ago)'
complete -c luna -n '__luna_at \'luna keys\'' -l counter -x -d 'Start with period N'
complete -c luna -n '__luna_at \'luna keys\'' -l count -x -d 'How many periods'
complete -c luna -n '__luna_at \'luna keys\'' -l secrets -d 'Also print what is never sent (botp)'
complete -c luna -n '__luna_at \'luna keys\'' -l eddystone -d 'An Eddystone-EID identity key'
complete -c luna -n '__luna_at \'luna keys\'' -l exponent -x -d 'With --eddystone: a new identifier every 2^K s'
complete -c luna -n '__luna_at \'luna keys\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna keys\'' -l passphrase-file -r -F -d 'Read the passphrase for sealed keys from FILE; - is standard input'
complete -c luna -n '__luna_at \'luna keys\'' -l utc -d 'Times are in UTC, not local'
complete -c luna -n '__luna_at \'luna keys\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna keys\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna keys\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna keys\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna keys\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna report\' 0' -a seal -d 'Seal a location for the owner of a tracker that was heard.'
complete -c luna -n '__luna_at \'luna report\' 0' -a open -d 'Open a location report about one of your trackers.'
complete -c luna -n '__luna_at \'luna report\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna report\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna report\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna report\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
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
complete -c luna -n '__luna_at \'luna report seal\'' -l time -x -d 'When: 2026-11-21 10:00, yesterday, yesterday 09:00, 15:00 (today), 24h (so long ago)'
complete -c luna -n '__luna_at \'luna report seal\'' -l format -x -a 'table jsonl csv' -d 'table or jsonl'
complete -c luna -n '__luna_at \'luna report seal\'' -l utc -d 'Times are in UTC, not local'
complete -c luna -n '__luna_at \'luna report seal\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna report seal\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna report seal\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna report seal\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna report seal\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna report open\'' -l master-key-file -r -F -d 'The master key, 64 hexadecimal digits; - is standard input'
complete -c luna -n '__luna_at \'luna report open\'' -l device -x -d 'Use the key of an onboarded device'
complete -c luna -n '__luna_at \'luna report open\'' -l heid -x -d 'The heid of the report, 32 digits'
complete -c luna -n '__luna_at \'luna report open\'' -l esf -x -d 'The esf of the report, 6 digits'
complete -c luna -n '__luna_at \'luna report open\'' -l counter -x -d 'Its period'
complete -c luna -n '__luna_at \'luna report open\'' -l at -x -d 'The period at a time, or one beside it: 2026-11-21 10:00, yesterday, yesterday 09:00, 15:00 (today), 24h (so long ago)'
complete -c luna -n '__luna_at \'luna report open\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna report open\'' -l passphrase-file -r -F -d 'Read the passphrase for sealed keys from FILE; - is standard input'
complete -c luna -n '__luna_at \'luna report open\'' -l utc -d 'Times are in UTC, not local'
complete -c luna -n '__luna_at \'luna report open\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna report open\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna report open\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna report open\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna report open\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna uplink\' 0' -a consent -d 'Show what an uplink check sends, and agree to it or withdraw.'
complete -c luna -n '__luna_at \'luna uplink\' 0' -a profiles -d 'List what can be compared: profiles, a recording, or the apps of a list.'
complete -c luna -n '__luna_at \'luna uplink\' 0' -a record -d 'Record uploads of made-up events, to be replayed.'
complete -c luna -n '__luna_at \'luna uplink\' 0' -a check -d 'Say whether the network treats Luna\'s traffic, or another app\'s, as other traffic.'
complete -c luna -n '__luna_at \'luna uplink\' 0' -a locate -d 'Say whether a difference is made in what the paths to two servers share.'
complete -c luna -n '__luna_at \'luna uplink\' 0' -a dpi -d 'Find out which fields and bytes a network recognises.'
complete -c luna -n '__luna_at \'luna uplink\' 0' -a serve -d 'Run a server with which luna uplink check compares.'
complete -c luna -n '__luna_at \'luna uplink\' 0' -a settings -d 'Show what holds for uplink checks and who said so, or set it.'
complete -c luna -n '__luna_at \'luna uplink\' 0' -a results -d 'Show the stored results, and judge the samples of others.'
complete -c luna -n '__luna_at \'luna uplink\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna uplink\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna uplink\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna uplink\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna uplink\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna uplink consent\'' -l accept -d 'Agree to the text'
complete -c luna -n '__luna_at \'luna uplink consent\'' -l withdraw -d 'Take the consent back: nothing is sent any more'
complete -c luna -n '__luna_at \'luna uplink consent\'' -l format -x -a 'table jsonl' -d 'table or jsonl'
complete -c luna -n '__luna_at \'luna uplink consent\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna uplink consent\'' -l utc -d 'Times are in UTC, not local'
complete -c luna -n '__luna_at \'luna uplink consent\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna uplink consent\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna uplink consent\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna uplink consent\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna uplink consent\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna uplink profiles\'' -l format -x -a 'table jsonl csv' -d 'table, jsonl or csv'
complete -c luna -n '__luna_at \'luna uplink profiles\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna uplink profiles\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna uplink profiles\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna uplink profiles\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna uplink profiles\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna uplink profiles\' 0' -F
complete -c luna -n '__luna_at \'luna uplink record\'' -l to -x -d 'Upload to this server instead of the backend'
complete -c luna -n '__luna_at \'luna uplink record\'' -l uploads -x -d 'How many batches of 100 events'
complete -c luna -n '__luna_at \'luna uplink record\'' -l directory -x -a '(__fish_complete_directories (commandline -ct))' -d 'Write the files into DIR'
complete -c luna -n '__luna_at \'luna uplink record\'' -l force -d 'Overwrite existing files'
complete -c luna -n '__luna_at \'luna uplink record\'' -l backend -x -d 'The backend, https://HOST[:PORT]'
complete -c luna -n '__luna_at \'luna uplink record\'' -l token-file -r -F -d 'Read the token of this gateway from FILE'
complete -c luna -n '__luna_at \'luna uplink record\'' -l ca-file -r -F -d 'Trust the certificates in FILE (PEM) instead of the system\'s'
complete -c luna -n '__luna_at \'luna uplink record\'' -l proxy -x -d 'Use a proxy (http://HOST:PORT, socks5h://HOST:PORT); - for none'
complete -c luna -n '__luna_at \'luna uplink record\'' -l allow-plain-http -d 'Allow plain http to other machines: anybody on the network path can read the token'
complete -c luna -n '__luna_at \'luna uplink record\'' -l format -x -a 'table jsonl' -d 'table or jsonl'
complete -c luna -n '__luna_at \'luna uplink record\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna uplink record\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna uplink record\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna uplink record\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna uplink record\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna uplink record\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna uplink check\'' -l confirm -d 'Make a test that finds a difference once more'
complete -c luna -n '__luna_at \'luna uplink check\'' -l no-confirm -d 'Make a test that finds a difference once more'
complete -c luna -n '__luna_at \'luna uplink check\'' -l rule -x -a 'ios java server' -d 'Judge by the rule of ios, java or server'
complete -c luna -n '__luna_at \'luna uplink check\'' -l use-defaults -d 'Judge by the limits of Wehe\'s apps, whatever --area, --p-value and --ratio say'
complete -c luna -n '__luna_at \'luna uplink check\'' -l no-use-defaults -d 'Judge by the limits of Wehe\'s apps, whatever --area, --p-value and --ratio say'
complete -c luna -n '__luna_at \'luna uplink check\'' -l area -x -d 'From which difference of the means on they differ'
complete -c luna -n '__luna_at \'luna uplink check\'' -l p-value -x -d 'Below which probability they differ'
complete -c luna -n '__luna_at \'luna uplink check\'' -l ratio -x -d 'How many halves of the samples have to agree'
complete -c luna -n '__luna_at \'luna uplink check\'' -l user-id -x -d 'Who makes the check, for the server'
complete -c luna -n '__luna_at \'luna uplink check\'' -l history-count -x -d 'Count tests on from N, for the server; it is never counted back'
complete -c luna -n '__luna_at \'luna uplink check\'' -l extra-string -x -d 'A word that the server keeps'
complete -c luna -n '__luna_at \'luna uplink check\'' -l packet-timing -d 'Send packets no earlier than recorded'
complete -c luna -n '__luna_at \'luna uplink check\'' -l no-packet-timing -d 'Send packets no earlier than recorded'
complete -c luna -n '__luna_at \'luna uplink check\'' -l send-facts -d 'Tell the server the kind of link; never a place'
complete -c luna -n '__luna_at \'luna uplink check\'' -l buckets -x -a 'real nominal' -d 'Cut samples by the time that passed, or nominal, as Wehe does'
complete -c luna -n '__luna_at \'luna uplink check\'' -l profiles -x -d 'What is checked where nothing is named, separated by commas'
complete -c luna -n '__luna_at \'luna uplink check\'' -l direction -x -a 'up down both' -d 'Check uploads, downloads or both: up, down, both'
complete -c luna -n '__luna_at \'luna uplink check\'' -l control-name -x -d 'The name of a server that control slots ask for'
complete -c luna -n '__luna_at \'luna uplink check\'' -l pairs -x -d 'Make so many pairs at most: 10 to 64'
complete -c luna -n '__luna_at \'luna uplink check\'' -l scheduled -d 'Wait until no reports wait, and do nothing where nobody has agreed'
complete -c luna -n '__luna_at \'luna uplink check\'' -l simulate -x -a 'fair throttled prioritised blocked inconclusive random' -d 'Check a link that is made up, such as fair, throttled or random'
complete -c luna -n '__luna_at \'luna uplink check\'' -l slowdown -x -d 'Take as many pairs as find this slowdown'
complete -c luna -n '__luna_at \'luna uplink check\'' -l power -x -d 'How likely it is to be found'
complete -c luna -n '__luna_at \'luna uplink check\'' -l server -x -a 'mlab' -d 'A server of luna uplink serve, https://HOST[:PORT]; one of Wehe\'s, wehe:HOST, or M-Lab\'s, mlab'
complete -c luna -n '__luna_at \'luna uplink check\'' -l backend -x -d 'The backend, https://HOST[:PORT]: the server where none is named'
complete -c luna -n '__luna_at \'luna uplink check\'' -l token-file -r -F -d 'Read the token of this gateway, or for the server, from FILE; twice for a pair of servers'
complete -c luna -n '__luna_at \'luna uplink check\'' -l ca-file -r -F -d 'The authority (PEM) that vouches for the server; for one of Wehe\'s, whatever its name'
complete -c luna -n '__luna_at \'luna uplink check\'' -l ca-name-check -d 'Check that a certificate is of the server\'s name; of servers of Wehe\'s none has to be'
complete -c luna -n '__luna_at \'luna uplink check\'' -l no-ca-name-check -d 'Check that a certificate is of the server\'s name; of servers of Wehe\'s none has to be'
complete -c luna -n '__luna_at \'luna uplink check\'' -l plain -d 'Speak with the server without TLS'
complete -c luna -n '__luna_at \'luna uplink check\'' -l ports -x -d 'Side channel plain and TLS, results plain and TLS'
complete -c luna -n '__luna_at \'luna uplink check\'' -l locate-url -x -d 'The service that locates servers of M-Lab\'s'
complete -c luna -n '__luna_at \'luna uplink check\'' -l site -x -d 'Where the server of M-Lab\'s is to be'
complete -c luna -n '__luna_at \'luna uplink check\'' -l budget -x -d 'What a run may use for all that it checks, both ways; as much again to confirm'
complete -c luna -n '__luna_at \'luna uplink check\'' -l budget-metered -x -d 'The same on a metered link'
complete -c luna -n '__luna_at \'luna uplink check\'' -l monthly -x -d 'What all checks of a month (UTC) may use'
complete -c luna -n '__luna_at \'luna uplink check\'' -l monthly-metered -x -d 'Those on metered links'
complete -c luna -n '__luna_at \'luna uplink check\'' -l metered -x -a 'auto yes no' -d 'Whether the link is metered: auto is so on wwan and ppp, and where NetworkManager says so'
complete -c luna -n '__luna_at \'luna uplink check\'' -l format -x -a 'table jsonl' -d 'table or jsonl'
complete -c luna -n '__luna_at \'luna uplink check\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna uplink check\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna uplink check\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna uplink check\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna uplink check\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna uplink check\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna uplink check\' 0 more' -F
complete -c luna -n '__luna_at \'luna uplink locate\'' -l pair -x -d 'Two servers whose paths part, https://HOST[:PORT] each; of several pairs the first that can be used'
complete -c luna -n '__luna_at \'luna uplink locate\'' -l baseline -d 'Measure what replays usually differ by, for luna uplink results judge'
complete -c luna -n '__luna_at \'luna uplink locate\'' -l force -d 'Take paths of which too little is known; the result says so'
complete -c luna -n '__luna_at \'luna uplink locate\'' -l control-name -x -d 'The name of a server that control slots ask for'
complete -c luna -n '__luna_at \'luna uplink locate\'' -l simulate -x -a 'common separate noEvidence' -d 'Locate over links that are made up, such as common or separate'
complete -c luna -n '__luna_at \'luna uplink locate\'' -l mwu-p-value -x -d 'Below which probability two replays at once are like one'
complete -c luna -n '__luna_at \'luna uplink locate\'' -l correlation-p-value -x -d 'Below which probability losses come together'
complete -c luna -n '__luna_at \'luna uplink locate\'' -l correlation-share -x -d 'In how many lengths of intervals they have to'
complete -c luna -n '__luna_at \'luna uplink locate\'' -l rule -x -a 'ios java server' -d 'Judge by the rule of ios, java or server'
complete -c luna -n '__luna_at \'luna uplink locate\'' -l use-defaults -d 'Judge by the limits of Wehe\'s apps, whatever --area, --p-value and --ratio say'
complete -c luna -n '__luna_at \'luna uplink locate\'' -l no-use-defaults -d 'Judge by the limits of Wehe\'s apps, whatever --area, --p-value and --ratio say'
complete -c luna -n '__luna_at \'luna uplink locate\'' -l area -x -d 'From which difference of the means on they differ'
complete -c luna -n '__luna_at \'luna uplink locate\'' -l p-value -x -d 'Below which probability they differ'
complete -c luna -n '__luna_at \'luna uplink locate\'' -l ratio -x -d 'How many halves of the samples have to agree'
complete -c luna -n '__luna_at \'luna uplink locate\'' -l user-id -x -d 'Who makes the check, for the server'
complete -c luna -n '__luna_at \'luna uplink locate\'' -l history-count -x -d 'Count tests on from N, for the server; it is never counted back'
complete -c luna -n '__luna_at \'luna uplink locate\'' -l extra-string -x -d 'A word that the server keeps'
complete -c luna -n '__luna_at \'luna uplink locate\'' -l packet-timing -d 'Send packets no earlier than recorded'
complete -c luna -n '__luna_at \'luna uplink locate\'' -l no-packet-timing -d 'Send packets no earlier than recorded'
complete -c luna -n '__luna_at \'luna uplink locate\'' -l send-facts -d 'Tell the server the kind of link; never a place'
complete -c luna -n '__luna_at \'luna uplink locate\'' -l buckets -x -a 'real nominal' -d 'Cut samples by the time that passed, or nominal, as Wehe does'
complete -c luna -n '__luna_at \'luna uplink locate\'' -l server -x -a 'mlab' -d 'A server of luna uplink serve, https://HOST[:PORT]; one of Wehe\'s, wehe:HOST, or M-Lab\'s, mlab'
complete -c luna -n '__luna_at \'luna uplink locate\'' -l backend -x -d 'The backend, https://HOST[:PORT]: the server where none is named'
complete -c luna -n '__luna_at \'luna uplink locate\'' -l token-file -r -F -d 'Read the token of this gateway, or for the server, from FILE; twice for a pair of servers'
complete -c luna -n '__luna_at \'luna uplink locate\'' -l ca-file -r -F -d 'The authority (PEM) that vouches for the server; for one of Wehe\'s, whatever its name'
complete -c luna -n '__luna_at \'luna uplink locate\'' -l ca-name-check -d 'Check that a certificate is of the server\'s name; of servers of Wehe\'s none has to be'
complete -c luna -n '__luna_at \'luna uplink locate\'' -l no-ca-name-check -d 'Check that a certificate is of the server\'s name; of servers of Wehe\'s none has to be'
complete -c luna -n '__luna_at \'luna uplink locate\'' -l plain -d 'Speak with the server without TLS'
complete -c luna -n '__luna_at \'luna uplink locate\'' -l ports -x -d 'Side channel plain and TLS, results plain and TLS'
complete -c luna -n '__luna_at \'luna uplink locate\'' -l locate-url -x -d 'The service that locates servers of M-Lab\'s'
complete -c luna -n '__luna_at \'luna uplink locate\'' -l site -x -d 'Where the server of M-Lab\'s is to be'
complete -c luna -n '__luna_at \'luna uplink locate\'' -l budget -x -d 'What a run may use for all that it checks, both ways; as much again to confirm'
complete -c luna -n '__luna_at \'luna uplink locate\'' -l budget-metered -x -d 'The same on a metered link'
complete -c luna -n '__luna_at \'luna uplink locate\'' -l monthly -x -d 'What all checks of a month (UTC) may use'
complete -c luna -n '__luna_at \'luna uplink locate\'' -l monthly-metered -x -d 'Those on metered links'
complete -c luna -n '__luna_at \'luna uplink locate\'' -l metered -x -a 'auto yes no' -d 'Whether the link is metered: auto is so on wwan and ppp, and where NetworkManager says so'
complete -c luna -n '__luna_at \'luna uplink locate\'' -l format -x -a 'table jsonl' -d 'table or jsonl'
complete -c luna -n '__luna_at \'luna uplink locate\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna uplink locate\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna uplink locate\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna uplink locate\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna uplink locate\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna uplink locate\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna uplink locate\' 0' -F
complete -c luna -n '__luna_at \'luna uplink dpi\'' -l control-name -x -d 'The name of a server that control slots ask for'
complete -c luna -n '__luna_at \'luna uplink dpi\'' -l other-port -x -d 'Where the same server listens as well, so that the port is probed'
complete -c luna -n '__luna_at \'luna uplink dpi\'' -l resume -d 'Go on where an inspection of the bytes of FILE was broken off'
complete -c luna -n '__luna_at \'luna uplink dpi\'' -l simulate -x -a 'name spans either byte packets nothing noise' -d 'Inspect a network that is made up and recognises this'
complete -c luna -n '__luna_at \'luna uplink dpi\'' -l server -x -a 'mlab' -d 'A server of luna uplink serve, https://HOST[:PORT]; one of Wehe\'s, wehe:HOST, or M-Lab\'s, mlab'
complete -c luna -n '__luna_at \'luna uplink dpi\'' -l backend -x -d 'The backend, https://HOST[:PORT]: the server where none is named'
complete -c luna -n '__luna_at \'luna uplink dpi\'' -l token-file -r -F -d 'Read the token of this gateway, or for the server, from FILE; twice for a pair of servers'
complete -c luna -n '__luna_at \'luna uplink dpi\'' -l ca-file -r -F -d 'The authority (PEM) that vouches for the server; for one of Wehe\'s, whatever its name'
complete -c luna -n '__luna_at \'luna uplink dpi\'' -l ca-name-check -d 'Check that a certificate is of the server\'s name; of servers of Wehe\'s none has to be'
complete -c luna -n '__luna_at \'luna uplink dpi\'' -l no-ca-name-check -d 'Check that a certificate is of the server\'s name; of servers of Wehe\'s none has to be'
complete -c luna -n '__luna_at \'luna uplink dpi\'' -l plain -d 'Speak with the server without TLS'
complete -c luna -n '__luna_at \'luna uplink dpi\'' -l ports -x -d 'Side channel plain and TLS, results plain and TLS'
complete -c luna -n '__luna_at \'luna uplink dpi\'' -l locate-url -x -d 'The service that locates servers of M-Lab\'s'
complete -c luna -n '__luna_at \'luna uplink dpi\'' -l site -x -d 'Where the server of M-Lab\'s is to be'
complete -c luna -n '__luna_at \'luna uplink dpi\'' -l budget -x -d 'What a run may use for all that it checks, both ways; as much again to confirm'
complete -c luna -n '__luna_at \'luna uplink dpi\'' -l budget-metered -x -d 'The same on a metered link'
complete -c luna -n '__luna_at \'luna uplink dpi\'' -l monthly -x -d 'What all checks of a month (UTC) may use'
complete -c luna -n '__luna_at \'luna uplink dpi\'' -l monthly-metered -x -d 'Those on metered links'
complete -c luna -n '__luna_at \'luna uplink dpi\'' -l metered -x -a 'auto yes no' -d 'Whether the link is metered: auto is so on wwan and ppp, and where NetworkManager says so'
complete -c luna -n '__luna_at \'luna uplink dpi\'' -l format -x -a 'table jsonl' -d 'table or jsonl'
complete -c luna -n '__luna_at \'luna uplink dpi\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna uplink dpi\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna uplink dpi\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna uplink dpi\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna uplink dpi\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna uplink dpi\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna uplink dpi\' 0' -F
complete -c luna -n '__luna_at \'luna uplink serve\'' -l listen -x -d 'Where to listen'
complete -c luna -n '__luna_at \'luna uplink serve\'' -l tls-cert -r -F -d 'Its certificates (PEM)'
complete -c luna -n '__luna_at \'luna uplink serve\'' -l tls-key -r -F -d 'Their private key (PEM)'
complete -c luna -n '__luna_at \'luna uplink serve\'' -l token-file -r -F -d 'The tokens, one on each line; not needed with --wehe alone'
complete -c luna -n '__luna_at \'luna uplink serve\'' -l wehe -d 'Replay recordings with clients of Wehe\'s'
complete -c luna -n '__luna_at \'luna uplink serve\'' -l recordings -x -a '(__fish_complete_directories (commandline -ct))' -d 'The recordings for --wehe'
complete -c luna -n '__luna_at \'luna uplink serve\'' -l ports -x -d 'Of --wehe: side channel plain and TLS, results plain and TLS'
complete -c luna -n '__luna_at \'luna uplink serve\'' -l pair -x -d 'Of --wehe: two servers whose paths part, as clients call them'
complete -c luna -n '__luna_at \'luna uplink serve\'' -l variations -r -F -d 'What replays usually differ by, as luna uplink locate --baseline prints it'
complete -c luna -n '__luna_at \'luna uplink serve\'' -l ca-file -r -F -d 'The authority (PEM) that vouches for the other servers of pairs, whatever their names'
complete -c luna -n '__luna_at \'luna uplink serve\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna uplink serve\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna uplink serve\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna uplink serve\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna uplink serve\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna uplink settings\'' -l defaults -d 'Take all that was set out of your file'
complete -c luna -n '__luna_at \'luna uplink settings\'' -l format -x -a 'table jsonl csv' -d 'table, jsonl or csv'
complete -c luna -n '__luna_at \'luna uplink settings\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna uplink settings\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna uplink settings\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna uplink settings\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna uplink settings\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna uplink results\' 0' -a judge -d 'Judge the samples of two replays by a rule of Wehe\'s programs.'
complete -c luna -n '__luna_at \'luna uplink results\' 0' -a import -d 'Store the samples of a client of Wehe\'s as a result.'
complete -c luna -n '__luna_at \'luna uplink results\'' -l as -x -a 'json csv svg wehe' -d 'Write the result ID as json, csv, svg or wehe'
complete -c luna -n '__luna_at \'luna uplink results\'' -l forget -d 'Forget all results; who makes the checks stays'
complete -c luna -n '__luna_at \'luna uplink results\'' -l format -x -a 'table jsonl csv' -d 'table, jsonl or csv'
complete -c luna -n '__luna_at \'luna uplink results\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna uplink results\'' -l utc -d 'Times are in UTC, not local'
complete -c luna -n '__luna_at \'luna uplink results\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna uplink results\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna uplink results\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna uplink results\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna uplink results\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna uplink results judge\'' -l rule -x -a 'ios java server' -d 'ios, java or server'
complete -c luna -n '__luna_at \'luna uplink results judge\'' -l single -r -F -d 'The samples of the original with one server alone'
complete -c luna -n '__luna_at \'luna uplink results judge\'' -l variations -r -F -d 'What replays usually differ by, [PERCENT,...]'
complete -c luna -n '__luna_at \'luna uplink results judge\'' -l format -x -a 'table jsonl' -d 'table or jsonl'
complete -c luna -n '__luna_at \'luna uplink results judge\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna uplink results judge\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna uplink results judge\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna uplink results judge\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna uplink results judge\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna uplink results judge\' 0' -F
complete -c luna -n '__luna_at \'luna uplink results judge\' 1' -F
complete -c luna -n '__luna_at \'luna uplink results import\'' -l format -x -a 'table jsonl' -d 'table or jsonl'
complete -c luna -n '__luna_at \'luna uplink results import\'' -l state -x -a '(__fish_complete_directories (commandline -ct))' -d 'Keep devices and trackers in DIR'
complete -c luna -n '__luna_at \'luna uplink results import\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna uplink results import\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna uplink results import\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna uplink results import\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna uplink results import\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna uplink results import\' 0' -F
complete -c luna -n '__luna_at \'luna selftest\'' -l vectors -r -F -d 'Check against FILE instead of the built-in vectors'
complete -c luna -n '__luna_at \'luna selftest\'' -l answer -r -F -d 'Print what this build computes for the cases of FILE, as one JSON object'
complete -c luna -n '__luna_at \'luna selftest\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna selftest\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna selftest\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna selftest\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna selftest\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna completions\'' -s v -l verbose -d 'Print more on standard error; twice for even more'
complete -c luna -n '__luna_at \'luna completions\'' -s q -l quiet -d 'Print only errors on standard error'
complete -c luna -n '__luna_at \'luna completions\'' -l color -x -a 'auto always never' -d 'Colours: auto, always or never'
complete -c luna -n '__luna_at \'luna completions\'' -l config -r -F -d 'Read options also from FILE: \'key = value\' lines under [COMMAND] sections'
complete -c luna -n '__luna_at \'luna completions\'' -s h -l help -d 'Show this help'
complete -c luna -n '__luna_at \'luna completions\' 0' -a 'bash zsh fish'
