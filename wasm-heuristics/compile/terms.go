package compile

// Terms returns the weights that multiply terms: those that Without can take out of the program one by one, in the
// order of the source. The others, such as thresholds, divisors and arguments, are part of the structure.
func Terms(src string) ([]Weight, error) {
	c, err := Check(src)
	if err != nil {
		return nil, err
	}
	var terms []Weight
	for _, w := range c.Weights() {
		if _, err := Without(src, w.Name); err == nil {
			terms = append(terms, w)
		}
	}
	return terms, nil
}
