package connect

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"

	"github.com/epb-nco/epb/internal/llm"
)

// LLMIsNamed reports whether the environment names an LLM.
func LLMIsNamed() bool {
	return os.Getenv("OPENAI_BASE_URL") != "" || os.Getenv("OPENAI_API_KEY") != ""
}

// Models asks the LLM server at base for its list of models, which costs nothing. It sends key unless that is empty.
// known says that key is the one which this server should accept: only then is a refusal (401, 403) an error. A status
// of 500 or more and a server that cannot be reached are errors, too. detail is base, with a remark if the path looks
// wrong. standIn says that the server is the stand-in.
func Models(ctx context.Context, base, key string, known bool) (detail string, standIn bool, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimSuffix(base, "/")+"/models", nil)
	if err != nil {
		return "", false, err
	}
	if key != "" {
		req.Header.Set("Authorization", "Bearer "+key)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return "", false, err
	}
	defer resp.Body.Close()
	var list struct {
		Data []struct {
			ID string `json:"id"`
		} `json:"data"`
	}
	_ = json.NewDecoder(io.LimitReader(resp.Body, 1<<20)).Decode(&list) // a body that is no list names no model
	for _, m := range list.Data {
		standIn = standIn || llm.IsStandIn(m.ID)
	}
	switch refused := resp.StatusCode == http.StatusUnauthorized || resp.StatusCode == http.StatusForbidden; {
	case refused && known, resp.StatusCode >= 500:
		return "", standIn, fmt.Errorf("%s answers %s", base, resp.Status)
	case resp.StatusCode == http.StatusNotFound:
		return base + " (no /models here: is the path right? Most end in /v1)", standIn, nil
	}
	return base, standIn, nil
}
