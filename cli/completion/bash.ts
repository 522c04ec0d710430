/**
 * The script for bash. The one of the library evaluates the line, so that Tab runs commands such as `$(…)` in it, needs
 * the package bash-completion, and cannot be read twice. This one works with bash 3.2, too, which macOS has.
 */
export const BASH = `# bash completion for holdfast
__holdfast_complete() {
  local cur=\${COMP_WORDS[COMP_CWORD]} word line
  local -a words=()
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD}"; do
    # Readline also splits at "=".
    if [[ \${#words[@]} -gt 0 && ( $word == "=" || \${words[\${#words[@]} - 1]} == --*= ) ]]; then
      words[\${#words[@]} - 1]+=$word
    else
      words+=("$word")
    fi
  done
  [[ $cur == "=" ]] && cur=
  COMPREPLY=()
  while IFS= read -r line; do
    case $line in
      # Not even names of files. Bash 3.2 cannot be told.
      :4) compopt +o default 2>/dev/null ;;
      :*) ;;
      *)
        line=\${line%%$'\\t'*}
        [[ $line == "$cur"* ]] && COMPREPLY+=("$line")
        ;;
    esac
  done < <(holdfast completion complete -- "\${words[@]}" 2>/dev/null)
}
complete -o default -F __holdfast_complete holdfast
`;
