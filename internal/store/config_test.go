package store_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/store"
)

func TestConfigFromEnv(t *testing.T) {
	dev := store.Config{Endpoint: "127.0.0.1:9000", Bucket: "epb", AccessKey: "dev", SecretKey: "dev-secret"}
	ours := map[string]string{"EPB_S3_ACCESS_KEY": "a", "EPB_S3_SECRET_KEY": "s"}
	for _, test := range []struct {
		name  string
		env   map[string]string
		want  store.Config
		wrong string // part of the error
	}{
		{name: "nothing set", want: dev},
		{
			name: "dev stack, other bucket",
			env:  map[string]string{"EPB_S3_BUCKET": "bkt", "AWS_ACCESS_KEY_ID": "not sent"},
			want: store.Config{Endpoint: "127.0.0.1:9000", Bucket: "bkt", AccessKey: "dev", SecretKey: "dev-secret"},
		},
		{
			name: "hosted",
			env:  with(ours, "EPB_S3_ENDPOINT", "s3.example.org", "EPB_S3_REGION", "eu-1", "EPB_S3_BUCKET", "bkt"),
			want: store.Config{
				Endpoint: "s3.example.org", Bucket: "bkt", Region: "eu-1", TLS: true, AccessKey: "a", SecretKey: "s",
			},
		},
		{
			name: "local without TLS", env: with(ours, "EPB_S3_ENDPOINT", "localhost:9000"),
			want: store.Config{Endpoint: "localhost:9000", Bucket: "epb", AccessKey: "a", SecretKey: "s"},
		},
		{
			name: "URL", env: with(ours, "EPB_S3_ENDPOINT", "http://minio.lan:9000/"),
			want: store.Config{Endpoint: "minio.lan:9000", Bucket: "epb", AccessKey: "a", SecretKey: "s"},
		},
		{
			name: "TLS said", env: with(ours, "EPB_S3_ENDPOINT", "minio.lan:9000", "EPB_S3_TLS", "false"),
			want: store.Config{Endpoint: "minio.lan:9000", Bucket: "epb", AccessKey: "a", SecretKey: "s"},
		},
		{
			name: "AWS's names",
			env: map[string]string{
				"EPB_S3_ENDPOINT": "https://s3.amazonaws.com", "AWS_REGION": "eu-central-1",
				"AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "s", "AWS_SESSION_TOKEN": "t",
			},
			want: store.Config{
				Endpoint: "s3.amazonaws.com", Bucket: "epb", Region: "eu-central-1", TLS: true,
				AccessKey: "a", SecretKey: "s", SessionToken: "t",
			},
		},
		{name: "no keys", env: map[string]string{"EPB_S3_ENDPOINT": "s3.example.org"}, wrong: "EPB_S3_SECRET_KEY"},
		{name: "bad TLS", env: with(ours, "EPB_S3_ENDPOINT", "h:1", "EPB_S3_TLS", "maybe"), wrong: "EPB_S3_TLS"},
		{
			name: "bucket of the dev stack", env: map[string]string{"EPB_S3_BUCKET": "a9"},
			wrong: `EPB_S3_BUCKET: Bucket name cannot be shorter than 3`,
		},
		{
			name: "bucket", env: with(ours, "EPB_S3_ENDPOINT", "h:1", "EPB_S3_BUCKET", "b@cket"),
			wrong: `EPB_S3_BUCKET: Bucket`,
		},
		{name: "bad scheme", env: with(ours, "EPB_S3_ENDPOINT", "ftp://h"), wrong: "scheme is neither"},
		{name: "path", env: with(ours, "EPB_S3_ENDPOINT", "https://h/bucket"), wrong: "EPB_S3_ENDPOINT"},
		{
			name: "password", env: with(ours, "EPB_S3_ENDPOINT", "https://u:TOPSECRET@s3.example.org"),
			wrong: "EPB_S3_ENDPOINT: it holds a user, a password or a query",
		},
		{
			name: "password without a scheme", env: with(ours, "EPB_S3_ENDPOINT", "u:TOPSECRET@h:1"),
			wrong: "EPB_S3_ENDPOINT: it holds a user, a password or a query",
		},
		{name: "secret for an endpoint", env: with(ours, "EPB_S3_ENDPOINT", "TOPSECRET/bPx+fi"),
			wrong: "EPB_S3_ENDPOINT"},
		{name: "secret for a bucket", env: with(ours, "EPB_S3_ENDPOINT", "h:1", "EPB_S3_BUCKET", "TOPSECRET/bPx"),
			wrong: "EPB_S3_BUCKET"},
		{name: "secret for TLS", env: with(ours, "EPB_S3_ENDPOINT", "h:1", "EPB_S3_TLS", "TOPSECRET"),
			wrong: "EPB_S3_TLS"},
		{
			name: "query", env: with(ours, "EPB_S3_ENDPOINT", "http://h:1/?key=TOPSECRET"),
			wrong: "EPB_S3_ENDPOINT: it holds a user, a password or a query",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, name := range []string{
				"EPB_S3_ENDPOINT", "EPB_S3_BUCKET", "EPB_S3_REGION", "EPB_S3_TLS",
				"EPB_S3_ACCESS_KEY", "EPB_S3_SECRET_KEY",
				"AWS_REGION", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN",
			} {
				t.Setenv(name, test.env[name])
			}
			got, err := store.ConfigFromEnv(dev)
			if test.wrong != "" {
				if err == nil || !strings.Contains(err.Error(), test.wrong) {
					t.Fatalf("error %v, want one about %s", err, test.wrong)
				}
				if strings.Contains(err.Error(), "TOPSECRET") {
					t.Errorf("error %v shows a secret", err)
				}
				return
			}
			if err != nil || got != test.want {
				t.Errorf("%+v, %v; want %+v", got, err, test.want)
			}
		})
	}
}

func with(env map[string]string, pairs ...string) map[string]string {
	merged := maps.Clone(env)
	for i := 0; i < len(pairs); i += 2 {
		merged[pairs[i]] = pairs[i+1]
	}
	return merged
}
