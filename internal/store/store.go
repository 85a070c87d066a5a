package store

import (
	"bytes"
	"context"
	"crypto/md5"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

// attempts bounds how often one request is sent; minio-go waits up to a second between two of them. After that the
// request fails, and Temporal retries the activity as a whole.
const attempts = 5

// Ref names a content-addressed object.
type Ref struct {
	Hash string `json:"hash"` // SHA-256 of the content, in hex
	Size int64  `json:"size"` // bytes
}

// Key returns the object's key in the bucket.
func (r Ref) Key() string { return "objects/" + r.Hash }

// text describes a reference in an error.
func (r Ref) text() string { return fmt.Sprintf("%d bytes with SHA-256 %s", r.Size, r.Hash) }

// RefOf returns the reference that data has once it is stored.
func RefOf(data []byte) Ref {
	sum := sha256.Sum256(data)
	return Ref{Hash: hex.EncodeToString(sum[:]), Size: int64(len(data))}
}

// Store is a bucket. It is safe for use by several goroutines.
type Store struct {
	client *minio.Client
	bucket string
	url    string
}

// Open connects to the bucket and creates it where it is missing.
func Open(ctx context.Context, c Config) (*Store, error) {
	s, exists, err := find(ctx, c)
	if err != nil {
		return nil, err
	}
	if !exists {
		err = s.client.MakeBucket(ctx, c.Bucket, minio.MakeBucketOptions{Region: c.Region})
		if minio.ToErrorResponse(err).Code == "BucketAlreadyOwnedByYou" {
			err = nil
		}
	}
	if err != nil {
		return nil, fmt.Errorf("open bucket %s at %s: %w", c.Bucket, c.URL(), err)
	}
	return s, nil
}

// Find connects to the bucket. The error wraps ErrNoBucket where it is missing.
func Find(ctx context.Context, c Config) (*Store, error) {
	s, exists, err := find(ctx, c)
	if err == nil && !exists {
		return nil, fmt.Errorf("%w %s at %s", ErrNoBucket, c.Bucket, c.URL())
	}
	return s, err
}

// find connects to the bucket, which need not exist.
func find(ctx context.Context, c Config) (s *Store, exists bool, err error) {
	creds := credentials.NewStaticV4(c.AccessKey, string(c.SecretKey), string(c.SessionToken))
	options := minio.Options{Creds: creds, Secure: c.TLS, Region: c.Region, MaxRetries: attempts}
	client, err := minio.New(c.Endpoint, &options)
	if err == nil {
		exists, err = client.BucketExists(ctx, c.Bucket)
	}
	if err != nil {
		return nil, false, fmt.Errorf("open bucket %s at %s: %w", c.Bucket, c.URL(), err)
	}
	return &Store{client: client, bucket: c.Bucket, url: c.URL()}, exists, nil
}

// Put stores data under its hash. It reads an object that exists already, and writes it anew only if it is damaged.
func (s *Store) Put(ctx context.Context, data []byte) (Ref, error) {
	ref := RefOf(data)
	_, err := s.Get(ctx, ref)
	switch {
	case err == nil:
		return ref, nil
	case errors.Is(err, ErrNotFound):
		err = s.PutKey(ctx, ref.Key(), data) // another writer would put the same
	case errors.Is(err, ErrDamaged):
		err = s.replace(ctx, ref.Key(), data, err)
	}
	if err != nil {
		return Ref{}, err
	}
	return ref, nil
}

// Get returns the content of a content-addressed object. The error wraps ErrNotFound, or ErrDamaged where it differs
// from what was put.
func (s *Store) Get(ctx context.Context, ref Ref) ([]byte, error) {
	o, err := s.get(ctx, ref.Key())
	if errors.Is(err, ErrNotFound) {
		return nil, fmt.Errorf("%w; %s", err, remedy)
	}
	if err != nil {
		return nil, err
	}
	if got := RefOf(o.data); got != ref {
		return nil, s.damaged(ref.Key(), ref.text(), got.text())
	}
	return o.data, nil
}

// PutKey stores data under a key, replacing what is there.
func (s *Store) PutKey(ctx context.Context, key string, data []byte) error {
	_, err := s.put(ctx, key, data, minio.PutObjectOptions{})
	return err
}

// PutKeyIfAbsent stores data under a key that has no object yet, or a damaged one, and reports whether it did.
func (s *Store) PutKeyIfAbsent(ctx context.Context, key string, data []byte) (created bool, err error) {
	// Of an upload in parts minio-go sends the condition with the first request, which has none at AWS.
	opts := minio.PutObjectOptions{DisableMultipart: true}
	opts.SetMatchETagExcept("*")
	if created, err = s.put(ctx, key, data, opts); created || err != nil {
		return created, err
	}
	if _, err = s.GetKey(ctx, key); errors.Is(err, ErrDamaged) {
		return true, s.replace(ctx, key, data, err)
	}
	return false, err
}

// replace writes data over a damaged object.
func (s *Store) replace(ctx context.Context, key string, data []byte, damage error) error {
	if err := s.PutKey(ctx, key, data); err != nil {
		return fmt.Errorf("%w; it cannot be written anew either: %w", damage, err)
	}
	slog.WarnContext(ctx, "a damaged object was written anew", "key", key, "damage", damage)
	return nil
}

// hashMeta names the metadata of an object that holds the SHA-256 of its content, in hex.
const hashMeta = "Sha256"

// put writes an object with its hash. It reports false if opts let it write nothing.
func (s *Store) put(
	ctx context.Context, key string, data []byte, opts minio.PutObjectOptions,
) (created bool, err error) {
	opts.ContentType = "application/octet-stream"
	opts.UserMetadata = map[string]string{hashMeta: RefOf(data).Hash}
	_, err = s.client.PutObject(ctx, s.bucket, key, bytes.NewReader(data), int64(len(data)), opts)
	if minio.ToErrorResponse(err).StatusCode == http.StatusPreconditionFailed {
		return false, nil
	}
	if err != nil {
		return false, s.failed("put", key, err)
	}
	return true, nil
}

// GetKey returns the content of the object with that key. The error wraps ErrNotFound, or ErrDamaged where it differs
// from what was put. An object that carries no hash, as older versions wrote it, must have the MD5 that its server
// noted when it arrived.
func (s *Store) GetKey(ctx context.Context, key string) ([]byte, error) {
	o, err := s.get(ctx, key)
	if err == nil && o.hash == "" {
		err = s.checkMD5(o)
	} else if err == nil {
		err = s.checkHash(o)
	}
	if err != nil {
		return nil, err
	}
	return o.data, nil
}

// Delete removes the objects with those keys. One that does not exist is no error.
func (s *Store) Delete(ctx context.Context, keys []string) error {
	objects := func(yield func(minio.ObjectInfo) bool) {
		for _, key := range keys {
			if !yield(minio.ObjectInfo{Key: key}) {
				return
			}
		}
	}
	results, err := s.client.RemoveObjectsWithIter(ctx, s.bucket, objects, minio.RemoveObjectsOptions{})
	if err != nil {
		return fmt.Errorf("delete from bucket %s at %s: %w", s.bucket, s.url, err)
	}
	for r := range results {
		if r.Err != nil {
			return s.failed("delete", r.ObjectName, r.Err)
		}
	}
	return ctx.Err()
}

// Modified returns when the object with that key was put. The error wraps ErrNotFound.
func (s *Store) Modified(ctx context.Context, key string) (time.Time, error) {
	info, err := s.client.StatObject(ctx, s.bucket, key, minio.StatObjectOptions{})
	if err != nil {
		return time.Time{}, s.failed("stat", key, err)
	}
	return info.LastModified, nil
}

// GetDerived is GetKey for objects that can be recomputed for free. An object without a hash counts as damaged.
func (s *Store) GetDerived(ctx context.Context, key string) ([]byte, error) {
	o, err := s.get(ctx, key)
	if err == nil {
		err = s.checkHash(o)
	}
	if err != nil {
		return nil, err
	}
	return o.data, nil
}

// object is an object as it was read.
type object struct {
	key  string
	data []byte
	hash string // of what was put, or empty if an older version or another program did
	md5  string // of what arrived, or empty if the server does not tell
}

// md5Of returns the MD5 of what arrived, which is the object's ETag, or "" if it came in parts or is kept encrypted.
func md5Of(info minio.ObjectInfo, header http.Header) string {
	if len(info.ETag) != hex.EncodedLen(md5.Size) || header.Get("X-Amz-Server-Side-Encryption") != "" {
		return ""
	}
	return info.ETag
}

// get reads an object whole.
func (s *Store) get(ctx context.Context, key string) (object, error) {
	core := minio.Core{Client: s.client}
	body, info, header, err := core.GetObject(ctx, s.bucket, key, minio.GetObjectOptions{})
	if minio.ToErrorResponse(err).Code == "SlowDownRead" {
		err = s.unreadable(ctx, key, err)
	}
	if err != nil {
		return object{}, s.failed("get", key, err)
	}
	if info.Size < 0 {
		body.Close()
		return object{}, s.failed("get", key, errors.New("the server does not say how many bytes it has: "+
			"a proxy between may compress what it passes on"))
	}
	o := object{key: key, data: make([]byte, info.Size), hash: info.UserMetadata[hashMeta], md5: md5Of(info, header)}
	n, err := fill(o.data, body)
	for tries := 1; err != nil; tries++ { // ask for the rest
		if tries == attempts {
			return object{}, s.failed("get", key, s.unreadable(ctx, key, err))
		}
		if err := pause(ctx, tries); err != nil {
			return object{}, s.failed("get", key, err)
		}
		var rest minio.GetObjectOptions
		if err := errors.Join(rest.SetRange(int64(n), info.Size-1), rest.SetMatchETag(info.ETag)); err != nil {
			return object{}, s.failed("get", key, err)
		}
		if body, _, _, err = core.GetObject(ctx, s.bucket, key, rest); err != nil {
			return object{}, s.failed("get", key, err)
		}
		var more int
		if more, err = fill(o.data[n:], body); more > 0 {
			n, tries = n+more, 0
		}
	}
	return o, nil
}

// fill reads as many bytes as data has room for and closes the body.
func fill(data []byte, body io.ReadCloser) (int, error) {
	defer body.Close()
	return io.ReadFull(body, data)
}

// pause waits before the next try: a fifth of a second longer each time.
func pause(ctx context.Context, tries int) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(time.Duration(tries) * 200 * time.Millisecond):
		return nil
	}
}

// List returns the keys of objects that begin with prefix, in alphabetical order.
func (s *Store) List(ctx context.Context, prefix string) ([]string, error) {
	return s.list(ctx, minio.ListObjectsOptions{Prefix: prefix, Recursive: true})
}

// Folders returns the names of the folders in a folder, in alphabetical order. For "runs/", which ends with a slash, it
// returns every ID for which a key begins with runs/ID/. It does not list what they hold, which may be much.
func (s *Store) Folders(ctx context.Context, folder string) ([]string, error) {
	keys, err := s.list(ctx, minio.ListObjectsOptions{Prefix: folder})
	if err != nil {
		return nil, err
	}
	var names []string
	for _, key := range keys {
		if name, ok := strings.CutSuffix(strings.TrimPrefix(key, folder), "/"); ok {
			names = append(names, name)
		}
	}
	return names, nil
}

func (s *Store) list(ctx context.Context, opts minio.ListObjectsOptions) (keys []string, err error) {
	ctx, cancel := context.WithCancel(ctx) // ends the listing's goroutine on an early return
	defer cancel()
	for info := range s.client.ListObjects(ctx, s.bucket, opts) {
		if info.Err != nil {
			return nil, s.failed("list", opts.Prefix, info.Err)
		}
		keys = append(keys, info.Key)
	}
	return keys, nil
}
