package store

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"

	"github.com/minio/minio-go/v7"
)

// Inspection is the result of Inspect.
type Inspection struct {
	Store *Store // nil where the bucket does not exist: Open makes it
	Left  string // key of the object that Inspect wrote and may not delete; usually empty
}

// Inspect checks that the bucket can be used: it writes an object, reads it and deletes it. It creates no bucket and
// leaves nothing behind where the keys may delete.
func Inspect(ctx context.Context, c Config) (Inspection, error) {
	s, exists, err := find(ctx, c)
	if err != nil || !exists {
		return Inspection{}, err
	}
	key, data := "probe/"+rand.Text(), []byte("epb writes, reads and deletes this to see whether it can")
	body := bytes.NewReader(data)
	info, err := s.client.PutObject(ctx, s.bucket, key, body, body.Size(), minio.PutObjectOptions{})
	if err != nil {
		return Inspection{}, fmt.Errorf("write to bucket %s at %s: %w", c.Bucket, c.URL(), err)
	}
	got, err := s.GetKey(ctx, key)
	if err == nil && !bytes.Equal(got, data) {
		err = fmt.Errorf("it is not what was written: %q", got)
	}
	in := Inspection{Store: s}
	// In a bucket that keeps versions, a deletion without the version's ID would only hide the object.
	version := minio.RemoveObjectOptions{VersionID: info.VersionID}
	if s.client.RemoveObject(context.WithoutCancel(ctx), s.bucket, key, version) != nil {
		in.Left = key
	}
	if err != nil {
		return in, fmt.Errorf("read from bucket %s at %s: %w", c.Bucket, c.URL(), err)
	}
	return in, nil
}
