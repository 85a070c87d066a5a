package store

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"strconv"
	"strings"

	"github.com/minio/minio-go/v7/pkg/s3utils"
)

// DefaultBucket is the bucket if none is configured.
const DefaultBucket = "epb"

// Secret is a string that prints as stars, in %#v and JSON too.
type Secret string

// String returns stars.
func (s Secret) String() string {
	if s == "" {
		return ""
	}
	return "***"
}

// GoString returns stars in quotes.
func (s Secret) GoString() string { return strconv.Quote(s.String()) }

// MarshalText returns stars.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Config says where the objects are.
type Config struct {
	Endpoint     string // host:port, without a scheme
	Bucket       string
	Region       string
	TLS          bool
	AccessKey    string
	SecretKey    Secret
	SessionToken Secret // only with temporary credentials
}

// URL returns the endpoint with its scheme.
func (c Config) URL() string {
	if c.TLS {
		return "https://" + c.Endpoint
	}
	return "http://" + c.Endpoint
}

// ConfigFromEnv reads EPB_S3_ENDPOINT (host:port or URL), EPB_S3_BUCKET, EPB_S3_REGION, EPB_S3_TLS and the keys
// EPB_S3_ACCESS_KEY and EPB_S3_SECRET_KEY, or else AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN.
//
// Without EPB_S3_ENDPOINT it returns the fallback, in which only the bucket can be overridden: the keys of one
// service are never sent to another.
func ConfigFromEnv(fallback Config) (Config, error) {
	endpoint := os.Getenv("EPB_S3_ENDPOINT")
	if endpoint == "" {
		fallback.Bucket = cmp.Or(os.Getenv("EPB_S3_BUCKET"), fallback.Bucket, DefaultBucket)
		return fallback, checkBucket(fallback.Bucket)
	}
	c := Config{
		Bucket: cmp.Or(os.Getenv("EPB_S3_BUCKET"), DefaultBucket),
		Region: cmp.Or(os.Getenv("EPB_S3_REGION"), os.Getenv("AWS_REGION")),
	}
	err := checkBucket(c.Bucket)
	if err != nil {
		return Config{}, err
	}
	if HoldsCredentials(endpoint) {
		return Config{}, errors.New("EPB_S3_ENDPOINT: it holds a user, a password or a query: leave them out, " +
			"the keys have settings of their own")
	}
	if c.Endpoint, c.TLS, err = parseEndpoint(endpoint); err != nil {
		return Config{}, fmt.Errorf("EPB_S3_ENDPOINT: %w", err)
	}
	if v := os.Getenv("EPB_S3_TLS"); v != "" {
		if c.TLS, err = strconv.ParseBool(v); err != nil {
			return Config{}, errors.New("EPB_S3_TLS is neither true nor false")
		}
	}
	c.AccessKey, c.SecretKey = os.Getenv("EPB_S3_ACCESS_KEY"), Secret(os.Getenv("EPB_S3_SECRET_KEY"))
	if c.AccessKey == "" && c.SecretKey == "" {
		c.AccessKey, c.SecretKey = os.Getenv("AWS_ACCESS_KEY_ID"), Secret(os.Getenv("AWS_SECRET_ACCESS_KEY"))
		c.SessionToken = Secret(os.Getenv("AWS_SESSION_TOKEN"))
	}
	if c.AccessKey == "" || c.SecretKey == "" {
		return Config{}, fmt.Errorf("no keys for %s: set EPB_S3_ACCESS_KEY and EPB_S3_SECRET_KEY "+
			"(or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY)", c.URL())
	}
	return c, nil
}

// checkBucket refuses a name that no S3 service accepts.
func checkBucket(name string) error {
	if err := s3utils.CheckValidBucketName(name); err != nil {
		return fmt.Errorf("EPB_S3_BUCKET: %w: want 3 to 63 letters, digits, dots and dashes", err)
	}
	return nil
}

// HoldsCredentials reports whether an endpoint has a user, a password or a query in it. No text shows such an endpoint.
func HoldsCredentials(endpoint string) bool { return strings.ContainsAny(endpoint, "@?") }

// parseEndpoint reads host, host:port or a URL without a path. Without a scheme it chooses TLS, except for this
// machine.
func parseEndpoint(s string) (host string, tls bool, err error) {
	if u, err := url.Parse(s); err == nil && u.Host != "" {
		if u.Scheme != "http" && u.Scheme != "https" {
			return "", false, errors.New("its scheme is neither http nor https")
		}
		if u.Path != "" && u.Path != "/" {
			return "", false, errors.New("want only a scheme, host and port; the bucket has a setting of its own")
		}
		return u.Host, u.Scheme == "https", nil
	}
	name := s
	if h, _, err := net.SplitHostPort(s); err == nil {
		name = h
	}
	if u, err := url.Parse("//" + s); err != nil || u.Host != s {
		return "", false, errors.New("want host:port")
	}
	ip := net.ParseIP(name)
	return s, name != "localhost" && (ip == nil || !ip.IsLoopback()), nil
}
