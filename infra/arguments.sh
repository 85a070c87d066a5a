# arguments.sh: other scripts source it to check what they are given, before they start anything.

# numbers NAME LOW HIGH VALUE...: ends the script unless each value is a whole number from LOW to HIGH.
numbers() {
  local name=$1 low=$2 high=$3 value hint=
  shift 3
  for value in "$@"; do
    # HIGH has ten digits at most. To bash a number that begins with a zero is octal.
    [[ $value =~ ^(0|[1-9][0-9]{0,9})$ ]] && ((value >= low && value <= high)) && continue
    [[ $value != *,* ]] || hint=", and blanks between several"
    echo "$name: got '$value', want a whole number from $low to $high$hint" >&2
    exit 1
  done
}

# teacher PATH: ends the script unless there is such a checkpoint or folder, or a teacher that ships with EPB is named.
teacher() {
  [[ $1 == builtin:* || -e $1 ]] && return
  echo "TEACHER: there is no $1, seen from $PWD: want a checkpoint, its folder, or builtin:NAME" >&2
  exit 1
}

# teachers FOLDER PATH: ends the script unless PATH, of a teacher in FOLDER, is there.
teachers() {
  [ -e "$2" ] && return
  echo "TEACHERS: there is no $2; $1 has: $(ls -m -w 0 "$1" 2>&1)" >&2
  exit 1
}
