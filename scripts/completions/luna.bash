# bash completion for luna

# Sets kind and words for the value of option (or argument) $2 of command $1; kind stays empty
# where there is no value.
_luna_value() {
  kind="" words=""
  case "$1 $2" in
    "luna --color"|\
    "luna scan --color"|\
    "luna local --color"|\
    "luna onboard --color"|\
    "luna buzz --color"|\
    "luna identify --color"|\
    "luna owner --color"|\
    "luna owner list --color"|\
    "luna owner show --color"|\
    "luna owner events --color"|\
    "luna owner buzz --color"|\
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
    "luna tracker --color"|\
    "luna tracker create --color"|\
    "luna tracker run --color"|\
    "luna tracker list --color"|\
    "luna tracker export --color"|\
    "luna tracker reset --color"|\
    "luna demo --color"|\
    "luna adapters --color"|\
    "luna capture --color"|\
    "luna decode --color"|\
    "luna keys --color"|\
    "luna report --color"|\
    "luna report seal --color"|\
    "luna report open --color"|\
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
    "luna local --config"|\
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
    "luna finder -w"|\
    "luna finder --write"|\
    "luna finder --config"|\
    "luna finder enroll --code-file"|\
    "luna finder enroll --token-file"|\
    "luna finder enroll --ca-file"|\
    "luna finder enroll --config"|\
    "luna finder status --config"|\
    "luna backend --tls-cert"|\
    "luna backend --tls-key"|\
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
    "luna backend check-config --config"|\
    "luna tracker --config"|\
    "luna tracker create --code-file"|\
    "luna tracker create --config"|\
    "luna tracker run --config"|\
    "luna tracker list --config"|\
    "luna tracker export --config"|\
    "luna tracker export @"*|\
    "luna tracker reset --config"|\
    "luna demo --picture"|\
    "luna demo --config"|\
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
    "luna selftest --vectors"|\
    "luna selftest --answer"|\
    "luna selftest --config"|\
    "luna completions --config") kind=file ;;
    "luna scan --filter"|\
    "luna scan --min-rssi"|\
    "luna scan --fields"|\
    "luna scan -i"|\
    "luna scan --adapter"|\
    "luna scan -T"|\
    "luna scan --duration"|\
    "luna scan -c"|\
    "luna scan --count"|\
    "luna scan --speed"|\
    "luna scan --epoch"|\
    "luna local --timeout"|\
    "luna local -i"|\
    "luna local --adapter"|\
    "luna local -T"|\
    "luna local --duration"|\
    "luna local -c"|\
    "luna local --count"|\
    "luna local --speed"|\
    "luna local --epoch"|\
    "luna local @"*|\
    "luna onboard --name"|\
    "luna onboard --code"|\
    "luna onboard --wait"|\
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
    "luna owner show @0"|\
    "luna owner events --from"|\
    "luna owner events --to"|\
    "luna owner events --backend"|\
    "luna owner events --proxy"|\
    "luna owner events @0"|\
    "luna owner buzz --hours"|\
    "luna owner buzz --seconds"|\
    "luna owner buzz --wait"|\
    "luna owner buzz --backend"|\
    "luna owner buzz --proxy"|\
    "luna owner buzz @0"|\
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
    "luna finder -c"|\
    "luna finder --count"|\
    "luna finder --speed"|\
    "luna finder --epoch"|\
    "luna finder enroll --backend"|\
    "luna finder enroll --proxy"|\
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
    "luna backend check-config --store"|\
    "luna backend check-config --store-connections"|\
    "luna backend check-config --store-queue"|\
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
    "luna tracker reset @"*|\
    "luna demo --speed"|\
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
    "luna report open @0") kind=text ;;
    "luna scan --format"|\
    "luna local --format"|\
    "luna onboard --format"|\
    "luna buzz --format"|\
    "luna identify --format"|\
    "luna owner list --format"|\
    "luna owner show --format"|\
    "luna owner buzz --format"|\
    "luna owner rename --format"|\
    "luna owner forget --format"|\
    "luna owner import --format"|\
    "luna owner ping --format"|\
    "luna owner set-clock --format"|\
    "luna owner here --format"|\
    "luna owner blink --format"|\
    "luna owner reset --format"|\
    "luna finder status --format"|\
    "luna backend token create --format"|\
    "luna backend token list --format"|\
    "luna backend enroll --format"|\
    "luna adapters --format"|\
    "luna report seal --format") kind=words words="table jsonl csv" ;;
    "luna scan --radio"|\
    "luna local --radio"|\
    "luna onboard --radio"|\
    "luna buzz --radio"|\
    "luna identify --radio"|\
    "luna owner ping --radio"|\
    "luna owner set-clock --radio"|\
    "luna owner here --radio"|\
    "luna owner blink --radio"|\
    "luna owner reset --radio"|\
    "luna finder --radio"|\
    "luna capture --radio") kind=words words="auto observe mgmt dbus exclusive h4: virtual" ;;
    "luna scan --phy"|\
    "luna local --phy"|\
    "luna finder --phy"|\
    "luna capture --phy") kind=list words="1m coded" ;;
    "luna local --state"|\
    "luna onboard --state"|\
    "luna buzz --state"|\
    "luna identify --state"|\
    "luna owner list --state"|\
    "luna owner show --state"|\
    "luna owner events --state"|\
    "luna owner buzz --state"|\
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
    "luna finder status --state"|\
    "luna backend --state"|\
    "luna backend token create --state"|\
    "luna backend token list --state"|\
    "luna backend token revoke --state"|\
    "luna backend enroll --state"|\
    "luna backend migrate --state"|\
    "luna backend backup --state"|\
    "luna backend check-config --state"|\
    "luna tracker create --state"|\
    "luna tracker run --state"|\
    "luna tracker list --state"|\
    "luna tracker export --state"|\
    "luna tracker reset --state"|\
    "luna demo --keep"|\
    "luna keys --state"|\
    "luna report open --state") kind=directory ;;
    "luna owner events --as") kind=words words="json gpx geojson kml csv svg" ;;
    "luna owner packages --command") kind=words words="buzzStart buzzStop blink ping" ;;
    "luna finder --location") kind=words words="static: gpsd geoclue" ;;
    "luna finder --duty") kind=words words="auto full sparse" ;;
    "luna finder --format"|\
    "luna demo --format") kind=words words="text jsonl" ;;
    "luna backend token create @0") kind=words words="gateway owner admin" ;;
    "luna tracker run --radio") kind=words words="auto dbus exclusive h4: virtual" ;;
    "luna tracker list --radio"|\
    "luna tracker export --radio") kind=words words="virtual" ;;
    "luna completions @0") kind=words words="bash zsh fish" ;;
  esac
}

# Sets words to the options of command $1.
_luna_options() {
  words=""
  case "$1" in
    "luna") words="-v --verbose -q --quiet --color --config -h --help --version" ;;
    "luna scan") words="--trackers --filter --min-rssi --fields --summary --format -i --adapter --radio -r --read --realtime -w --write --force -T --duration -c --count --active --passive --phy --speed --epoch -v --verbose -q --quiet --color --config -h --help" ;;
    "luna local") words="--format --timeout --state --passphrase-file -i --adapter --radio -r --read --realtime -w --write --force -T --duration -c --count --active --passive --phy --speed --epoch -v --verbose -q --quiet --color --config -h --help" ;;
    "luna onboard") words="--name --code --code-file --qr --unauthenticated --wait --dry-run --format -i --adapter --radio --speed --epoch --state --passphrase-file -v --verbose -q --quiet --color --config -h --help" ;;
    "luna buzz") words="--seconds --stop --package --any --format -i --adapter --radio -T --duration --speed --epoch --state --passphrase-file -v --verbose -q --quiet --color --config -h --help" ;;
    "luna identify") words="--wait --format -i --adapter --radio -T --duration --speed --epoch --state --passphrase-file -v --verbose -q --quiet --color --config -h --help" ;;
    "luna owner") words="-v --verbose -q --quiet --color --config -h --help" ;;
    "luna owner list") words="--format --state --passphrase-file -v --verbose -q --quiet --color --config -h --help" ;;
    "luna owner show") words="--secrets --format --state --passphrase-file -v --verbose -q --quiet --color --config -h --help" ;;
    "luna owner events") words="--from --to --as --backend --token-file --ca-file --proxy --allow-plain-http --state --passphrase-file -v --verbose -q --quiet --color --config -h --help" ;;
    "luna owner buzz") words="--remote --hours --seconds --wait --format --backend --token-file --ca-file --proxy --allow-plain-http --state --passphrase-file -v --verbose -q --quiet --color --config -h --help" ;;
    "luna owner packages") words="--hours --command --seconds --at --state --passphrase-file -v --verbose -q --quiet --color --config -h --help" ;;
    "luna owner rename") words="--format --state --passphrase-file -v --verbose -q --quiet --color --config -h --help" ;;
    "luna owner forget") words="-y --yes --format --state --passphrase-file -v --verbose -q --quiet --color --config -h --help" ;;
    "luna owner export") words="--force --state --passphrase-file -v --verbose -q --quiet --color --config -h --help" ;;
    "luna owner import") words="--alignment --format --state --passphrase-file -v --verbose -q --quiet --color --config -h --help" ;;
    "luna owner ping") words="--format -i --adapter --radio -T --duration --speed --epoch --state --passphrase-file -v --verbose -q --quiet --color --config -h --help" ;;
    "luna owner set-clock") words="--format -i --adapter --radio -T --duration --speed --epoch --state --passphrase-file -v --verbose -q --quiet --color --config -h --help" ;;
    "luna owner here") words="--format -i --adapter --radio -T --duration --speed --epoch --state --passphrase-file -v --verbose -q --quiet --color --config -h --help" ;;
    "luna owner blink") words="--seconds --format -i --adapter --radio -T --duration --speed --epoch --state --passphrase-file -v --verbose -q --quiet --color --config -h --help" ;;
    "luna owner reset") words="-y --yes --format -i --adapter --radio -T --duration --speed --epoch --state --passphrase-file -v --verbose -q --quiet --color --config -h --help" ;;
    "luna owner seal") words="--new-passphrase-file --state --passphrase-file -v --verbose -q --quiet --color --config -h --help" ;;
    "luna owner unseal") words="--state --passphrase-file -v --verbose -q --quiet --color --config -h --help" ;;
    "luna finder") words="--location --once --duty --format --backend --token-file --ca-file --proxy --allow-plain-http --batch --batch-time --interval --queue-limit --distance --accuracy --debug-fields --allow-insecure-debug-fields --state -i --adapter --radio -r --read --realtime -w --write --force -T --duration -c --count --active --passive --phy --speed --epoch -v --verbose -q --quiet --color --config -h --help" ;;
    "luna finder enroll") words="--code-file --force --backend --token-file --ca-file --proxy --allow-plain-http --state -v --verbose -q --quiet --color --config -h --help" ;;
    "luna finder status") words="--format --state -v --verbose -q --quiet --color --config -h --help" ;;
    "luna backend") words="--listen --tls-cert --tls-key --retention --connections --connections-per-address --requests --body-memory --threads --events-per-second --requests-per-second --events-per-identifier --open-commands --testing --store --state --store-connections --store-queue -v --verbose -q --quiet --color --config -h --help" ;;
    "luna backend token") words="-v --verbose -q --quiet --color --config -h --help" ;;
    "luna backend token create") words="--out --force --format --store --state -v --verbose -q --quiet --color --config -h --help" ;;
    "luna backend token list") words="--format --store --state -v --verbose -q --quiet --color --config -h --help" ;;
    "luna backend token revoke") words="--store --state -v --verbose -q --quiet --color --config -h --help" ;;
    "luna backend enroll") words="--valid --format --store --state -v --verbose -q --quiet --color --config -h --help" ;;
    "luna backend migrate") words="--store --state -v --verbose -q --quiet --color --config -h --help" ;;
    "luna backend backup") words="--force --store --state -v --verbose -q --quiet --color --config -h --help" ;;
    "luna backend check-config") words="--listen --tls-cert --tls-key --retention --connections --connections-per-address --requests --body-memory --threads --events-per-second --requests-per-second --events-per-identifier --open-commands --testing --store --state --store-connections --store-queue -v --verbose -q --quiet --color --config -h --help" ;;
    "luna tracker") words="-v --verbose -q --quiet --color --config -h --help" ;;
    "luna tracker create") words="--onboardable --code-file --force --speed --epoch --state -v --verbose -q --quiet --color --config -h --help" ;;
    "luna tracker run") words="--radio -i --adapter -T --duration --drift --lose-clock --exec --exec-on --speed --epoch --state -v --verbose -q --quiet --color --config -h --help" ;;
    "luna tracker list") words="--codes --radio --state -v --verbose -q --quiet --color --config -h --help" ;;
    "luna tracker export") words="--radio --force --state -v --verbose -q --quiet --color --config -h --help" ;;
    "luna tracker reset") words="--state -v --verbose -q --quiet --color --config -h --help" ;;
    "luna demo") words="--force --picture --keep --speed --format -v --verbose -q --quiet --color --config -h --help" ;;
    "luna adapters") words="--format -v --verbose -q --quiet --color --config -h --help" ;;
    "luna capture") words="-i --adapter --radio -r --read --realtime -w --write --force -T --duration -c --count --active --passive --phy --speed --epoch -v --verbose -q --quiet --color --config -h --help" ;;
    "luna decode") words="--hci --address -v --verbose -q --quiet --color --config -h --help" ;;
    "luna keys") words="--master-key-file --device --at --counter --count --secrets --eddystone --exponent --state --passphrase-file -v --verbose -q --quiet --color --config -h --help" ;;
    "luna report") words="-v --verbose -q --quiet --color --config -h --help" ;;
    "luna report seal") words="--eid --aotp --esf --rssi --latitude --longitude --altitude --horizontal-accuracy --vertical-accuracy --speed --course --simulated --time --format -v --verbose -q --quiet --color --config -h --help" ;;
    "luna report open") words="--master-key-file --device --heid --esf --counter --at --state --passphrase-file -v --verbose -q --quiet --color --config -h --help" ;;
    "luna selftest") words="--vectors --answer -v --verbose -q --quiet --color --config -h --help" ;;
    "luna completions") words="-v --verbose -q --quiet --color --config -h --help" ;;
  esac
}

# Sets words to the commands below command $1.
_luna_subcommands() {
  words=""
  case "$1" in
    "luna") words="scan local onboard buzz identify owner finder backend tracker demo adapters capture decode keys report selftest completions" ;;
    "luna owner") words="list show events buzz packages rename forget export import ping set-clock here blink reset seal unseal" ;;
    "luna finder") words="enroll status" ;;
    "luna backend") words="token enroll migrate backup check-config" ;;
    "luna backend token") words="create list revoke" ;;
    "luna tracker") words="create run list export reset" ;;
    "luna report") words="seal open" ;;
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
            "luna scan"|"luna local"|"luna onboard"|"luna buzz"|"luna identify"|"luna owner"|"luna owner list"|"luna owner show"|"luna owner events"|"luna owner buzz"|"luna owner packages"|"luna owner rename"|"luna owner forget"|"luna owner export"|"luna owner import"|"luna owner ping"|"luna owner set-clock"|"luna owner here"|"luna owner blink"|"luna owner reset"|"luna owner seal"|"luna owner unseal"|"luna finder"|"luna finder enroll"|"luna finder status"|"luna backend"|"luna backend token"|"luna backend token create"|"luna backend token list"|"luna backend token revoke"|"luna backend enroll"|"luna backend migrate"|"luna backend backup"|"luna backend check-config"|"luna tracker"|"luna tracker create"|"luna tracker run"|"luna tracker list"|"luna tracker export"|"luna tracker reset"|"luna demo"|"luna adapters"|"luna capture"|"luna decode"|"luna keys"|"luna report"|"luna report seal"|"luna report open"|"luna selftest"|"luna completions") command+=" $word" ;;
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
