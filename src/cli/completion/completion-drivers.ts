/**
 * The same walk in three shells: go through the words before the cursor, follow the command's own words, count the
 * positional ones, remember an option that still waits for its value; then look up what may stand at the cursor.
 */
export const BASH_DRIVER = String.raw`_baton() {
  local cur=${'$'}{COMP_WORDS[COMP_CWORD]} cmd= open= word= list= at=0 i
  [[ $cur == '=' ]] && cur=
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=${'$'}{COMP_WORDS[i]}
    if [[ $word == '=' ]]; then
      continue # bash cuts --option=value into three words
    elif [[ $word == -?* ]]; then
      open=
      _baton_table "val:$cmd $word" >/dev/null && open=$word
    elif [[ -n $open ]]; then
      open=
    elif ((at == 0)) && _baton_table "is:${'$'}{cmd:+$cmd }$word" >/dev/null; then
      cmd=${'$'}{cmd:+$cmd }$word
    else
      at=$((at + 1))
    fi
  done
  if [[ -n $open ]]; then
    list=$(_baton_table "val:$cmd $open")
  elif [[ $cur == -* ]]; then
    list=$(_baton_table "opt:$cmd")
  elif ((at == 0)) && list=$(_baton_table "sub:$cmd"); then
    :
  else
    list=$(_baton_table "arg:$cmd $at")
  fi
  local IFS=$' \n'
  if [[ -n $list ]]; then
    COMPREPLY=($(compgen -W "$list" -- "$cur"))
  else
    IFS=$'\n'
    COMPREPLY=($(compgen -f -- "$cur"))
    compopt -o filenames 2>/dev/null
  fi
}
complete -F _baton baton
`;

export const ZSH_DRIVER = `_baton() {
  local cur=$words[CURRENT] cmd= open= word= list=
  integer at=0 i
  for ((i = 2; i < CURRENT; i++)); do
    word=$words[i]
    if [[ $word == -?* ]]; then
      open=
      _baton_table "val:$cmd $word" >/dev/null && open=$word
    elif [[ -n $open ]]; then
      open=
    elif ((at == 0)) && _baton_table "is:${'$'}{cmd:+$cmd }$word" >/dev/null; then
      cmd=${'$'}{cmd:+$cmd }$word
    else
      ((at += 1))
    fi
  done
  if [[ -n $open ]]; then
    list=$(_baton_table "val:$cmd $open")
  elif [[ $cur == -* ]]; then
    list=$(_baton_table "opt:$cmd")
  elif ((at == 0)) && list=$(_baton_table "sub:$cmd"); then
    :
  else
    list=$(_baton_table "arg:$cmd $at")
  fi
  if [[ -n $list ]]; then
    compadd -- ${'$'}{=list}
  else
    _files
  fi
}
if [[ $funcstack[1] == _baton ]]; then
  _baton "$@"
else
  compdef _baton baton
fi
`;

export const FISH_DRIVER = String.raw`function __baton_complete
  set -l before (commandline -opc)
  set -e before[1]
  set -l cur (commandline -ct)
  set -l cmd ''
  set -l open ''
  set -l at 0
  for word in $before
    if string match -q -- '-?*' $word
      set open ''
      __baton_table "val:$cmd $word" >/dev/null; and set open $word
    else if test -n "$open"
      set open ''
    else if test $at -eq 0; and __baton_table "is:"(string trim -- "$cmd $word") >/dev/null
      set cmd (string trim -- "$cmd $word")
    else
      set at (math $at + 1)
    end
  end
  set -l list
  if test -n "$open"
    set list (__baton_table "val:$cmd $open")
  else if string match -q -- '-*' "$cur"
    set list (__baton_table "opt:$cmd")
  else if test $at -eq 0; and __baton_table "sub:$cmd" >/dev/null
    set list (__baton_table "sub:$cmd")
  else
    set list (__baton_table "arg:$cmd $at")
  end
  if set -q list[1]
    printf '%s\n' $list
  else
    __fish_complete_path "$cur"
  end
end
complete -c baton -f -a '(__baton_complete)'
`;
