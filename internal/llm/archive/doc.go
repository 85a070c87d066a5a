// Package archive keeps what a run asked the language models and what they replied in one file, and answers a later run
// from it, so that the run repeats without any model.
//
// An archive is JSON lines, one Entry a line, usually compressed by gzip: `zcat FILE | less` shows it. The order and
// the bytes depend on the entries alone. So the archive of a repeated run is the archive of the first one, byte for
// byte.
//
// Handler serves an archive as an OpenAI-compatible endpoint. What identifies a request there is what a server gets to
// see of it: model, prompts, temperature, max_tokens and seed. The role is not sent.
package archive
