/** The shells that have a completion script. If `nameplate __complete` prints nothing, the script lets the shell complete file names. */
export const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const;
export type CompletionShell = (typeof SHELLS)[number];

export const SHELL_SCRIPTS: Readonly<Record<CompletionShell, string>> = {
  bash: `_nameplate() {
  local value
  COMPREPLY=()
  while IFS=$'\\t' read -r value _; do
    COMPREPLY+=("$value")
  done < <(nameplate __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _nameplate nameplate`,
  zsh: `#compdef nameplate
_nameplate() {
  local -a values about
  local value text
  while IFS=$'\\t' read -r value text; do
    values+=("$value")
    about+=("\${value}\${text:+  -- $text}")
  done < <(nameplate __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( \${#values} )); then compadd -l -d about -a values; else _files; fi
}
if [[ "\${funcstack[1]}" = "_nameplate" ]]; then _nameplate "$@"; else compdef _nameplate nameplate; fi`,
  fish: `function __nameplate_complete
  set -l words (commandline -opc) (commandline -ct)
  set -l found (nameplate __complete $words[2..-1] 2>/dev/null)
  if set -q found[1]
    printf '%s\\n' $found
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c nameplate -f -a '(__nameplate_complete)'`,
  powershell: `Register-ArgumentCompleter -Native -CommandName nameplate -ScriptBlock {
  param($word, $ast, $cursor)
  $words = @($ast.CommandElements | Select-Object -Skip 1 | Where-Object { $_.Extent.StartOffset -lt $cursor } | ForEach-Object { $_.ToString() })
  # PowerShell before 7.3 drops an empty argument, so pass = for it.
  if ($word -eq '') { $words += '=' }
  nameplate __complete @words 2>$null | ForEach-Object {
    $value, $about = $_ -split "\`t", 2
    if (-not $about) { $about = $value }
    [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $about)
  }
}`,
};

/** How to install the script of each shell. */
export const SHELL_SETUP: Readonly<Record<CompletionShell, string>> = {
  bash: 'echo \'eval "$(nameplate completion bash)"\' >> ~/.bashrc',
  zsh: 'echo \'eval "$(nameplate completion zsh)"\' >> ~/.zshrc, after compinit',
  fish: 'nameplate completion fish > ~/.config/fish/completions/nameplate.fish',
  powershell: "Add-Content $PROFILE 'nameplate completion powershell | Out-String | Invoke-Expression'",
};
