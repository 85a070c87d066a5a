package config

// Read returns the defaults, changed by a preset, then a file, then single keys (key=value), each where given.
func Read(file, preset string, sets []string) (Distill, error) {
	cfg := Default()
	var err error
	if preset != "" {
		if cfg, err = Preset(preset); err != nil {
			return cfg, err
		}
	}
	if file != "" {
		if err := cfg.MergeFile(file); err != nil {
			return cfg, err
		}
	}
	for _, s := range sets {
		if err := cfg.Set(s); err != nil {
			return cfg, err
		}
	}
	return cfg, nil
}
