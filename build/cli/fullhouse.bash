# Written from src/cli/commands: npx vitest run --project unit src/cli/help -u
_fullhouse() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} options='' choices='' files=''
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W 'run check presets schema preflight report snapshot show compare tag baseline ci comment estimate sample delay fidelity probe family remove-agent kubernetes cleanup watch history clock import-prometheus grafana completion help --help --version' -- "$word"))
    return
  fi
  case $before in
    --inconclusive-is) COMPREPLY=($(compgen -W 'pass fail' -- "$word")); return ;;
    --format) COMPREPLY=($(compgen -W 'html junit markdown csv sqlite' -- "$word")); return ;;
    --align) COMPREPLY=($(compgen -W 'viewers time' -- "$word")); return ;;
    --table) COMPREPLY=($(compgen -W 'srs' -- "$word")); return ;;
    --codec) COMPREPLY=($(compgen -W 'h264 h265 vp8 vp9 av1' -- "$word")); return ;;
    --rules|--history) compopt -o filenames; COMPREPLY=($(compgen -d -- "$word")); return ;;
    --out|--junit|--markdown|--baseline|--summary|--comment|--outputs|--plan|--key|--before|--chromium|--kubeconfig|--nodes|--alerts) compopt -o filenames; COMPREPLY=($(compgen -f -- "$word")); return ;;
    --preset|--set|--accept-host-key|--metrics|--otlp|--redact|--remove|--note|--link|--pull-request|--max|--hold|--for|--kbps|--cores|--nic|--memory|--size|--seconds|--jump|--user|--repeat|--viewers|--path|--expect|--name|--context|--namespace|--from|--to|--prometheus|--instance|--step|--listen|--job|--query|--resume) return ;;
  esac
  case ${COMP_WORDS[1]} in
    run) options='--out --json --preset --set --yes --allow-hooks --accept-host-key --metrics --otlp --junit --markdown --inconclusive-is --verbose'; files='@(yaml|yml)' ;;
    check) options='--preset --set --json --verbose'; files='@(yaml|yml)' ;;
    presets) options='--verbose' ;;
    schema) options='--verbose'; choices='plan result' ;;
    preflight) options='--json --rules --catalogue --set --yes --allow-hooks --accept-host-key --verbose'; files='@(yaml|yml)' ;;
    report) options='--out --format --redact --verbose'; files='fullhouse' ;;
    snapshot) options='--out --redact --list --json --verbose'; files='fullhouse' ;;
    show) options='--json --verbose'; files='fullhouse' ;;
    compare) options='--align --table --out --verbose'; files='fullhouse' ;;
    tag) options='--remove --note --verbose'; files='fullhouse' ;;
    baseline) options='--unset --verbose'; files='fullhouse' ;;
    ci) options='--out --set --yes --allow-hooks --accept-host-key --baseline --summary --comment --junit --outputs --link --inconclusive-is --verbose'; files='@(yaml|yml)' ;;
    comment) options='--pull-request --verbose'; files='*' ;;
    estimate) options='--plan --max --hold --out --json --set --yes --allow-hooks --accept-host-key --for --kbps --cores --nic --memory --verbose'; files='fullhouse' ;;
    sample) options='--codec --size --kbps --seconds --out --verbose' ;;
    delay) options='--key --jump --accept-host-key --set --yes --allow-hooks --user --self-signed --json --for --repeat --under-load --viewers --path --paths --expect --before --out --name --verbose'; files='@(yaml|yml)' ;;
    fidelity) options='--chromium --seconds --out --json --verbose' ;;
    probe) options='--key --jump --accept-host-key --user --self-signed --verbose' ;;
    family) options='--user --self-signed --verbose'; choices='check list' ;;
    remove-agent) options='--key --jump --accept-host-key --verbose' ;;
    kubernetes) options='--kubeconfig --context --namespace --json --set --verbose'; choices='manifest role check' ;;
    cleanup) options='--kubeconfig --context --namespace --all --yes --verbose' ;;
    watch) options='--out --yes --accept-host-key --from --to --for --nodes --history --name --alerts --allow-hooks --verbose' ;;
    history) options='--prometheus --instance --from --to --step --out --verbose' ;;
    clock) options='--listen --verbose'; choices='read' ;;
    import-prometheus) options='--prometheus --instance --from --to --step --job --query --name --list --resume --out --verbose' ;;
    grafana) options='--out --verbose' ;;
    completion) options='--verbose'; choices='bash zsh fish' ;;
    help) options='--verbose'; choices='run check presets schema preflight report snapshot show compare tag baseline ci comment estimate sample delay fidelity probe family remove-agent kubernetes cleanup watch history clock import-prometheus grafana completion' ;;
  esac
  if [[ $word == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$word"))
  elif [ -n "$choices" ]; then
    [ "$COMP_CWORD" -eq 2 ] && COMPREPLY=($(compgen -W "$choices" -- "$word"))
  elif [ -n "$files" ]; then
    compopt -o filenames
    local IFS=$'\n'
    local -a filter=()
    [ "$files" = '*' ] || filter=(-X "!*.$files")
    shopt -q extglob || { shopt -s extglob; trap 'shopt -u extglob; trap - RETURN' RETURN; }
    COMPREPLY=($(compgen -d -- "$word") $(compgen -f "${filter[@]}" -- "$word"))
  fi
}
complete -F _fullhouse fullhouse
