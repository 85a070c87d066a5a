# numbers.sh: other scripts source it to check the numbers that they are given, before they start anything.

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
