package store

import (
	"context"
	"crypto/md5"
	"encoding/hex"
	"errors"
	"fmt"
	"net"

	"github.com/minio/minio-go/v7"
)

var (
	// ErrNoBucket is in the chain of an error about a bucket that does not exist.
	ErrNoBucket = errors.New("there is no bucket")
	// ErrNotFound is in the chain of every error about an object that does not exist.
	ErrNotFound = errors.New("no such object")
	// ErrDamaged is in the chain of every error about an object whose content differs from the stored one or cannot be
	// read.
	ErrDamaged = errors.New("the object is damaged")
	// ErrFull is in the chain of every error about a store without free space.
	ErrFull = errors.New("the store is full")
)

// remedy says what to do about a lost or damaged object that cannot be made again.
const remedy = "put a sound copy in its place, and what waits for it goes on by itself"

// damaged returns the error about an object whose content differs from the stored one.
func (s *Store) damaged(key, want, found string) error {
	return fmt.Errorf("get %s from bucket %s: %w: want %s, found %s; %s",
		key, s.bucket, ErrDamaged, want, found, remedy)
}

// checkHash compares an object with the hash that was put beside it.
func (s *Store) checkHash(o object) error {
	got := RefOf(o.data)
	switch o.hash {
	case got.Hash:
		return nil
	case "":
		return s.damaged(o.key, "content with its SHA-256 beside it", got.text()+" and nothing beside it")
	}
	return s.damaged(o.key, "SHA-256 "+o.hash, got.text())
}

// checkMD5 compares an object with the MD5 that the server noted.
func (s *Store) checkMD5(o object) error {
	sum := md5.Sum(o.data)
	if got := hex.EncodeToString(sum[:]); o.md5 != "" && o.md5 != got {
		return s.damaged(o.key, "MD5 "+o.md5, "MD5 "+got)
	}
	return nil
}

// unreadable turns err, after which an object could not be read, into ErrDamaged if another try will not help. MinIO
// answers "SlowDownRead", or ends the answer at the damaged place, when its own checksums find damage or a part is
// missing. It does so too when drives are not mounted, but then it does not know the object, and err stays.
func (s *Store) unreadable(ctx context.Context, key string, err error) error {
	info, statErr := s.client.StatObject(ctx, s.bucket, key, minio.StatObjectOptions{})
	if statErr != nil {
		return err
	}
	return fmt.Errorf("%w: want %d bytes, found what its server cannot read any more (%w); %s",
		ErrDamaged, info.Size, err, remedy)
}

// failed returns an error that says which operation failed on which object, and what to do if that is known.
func (s *Store) failed(operation, key string, err error) error {
	response := minio.ToErrorResponse(err)
	var network net.Error
	switch {
	case response.Code == "NoSuchKey":
		return fmt.Errorf("%s %s from bucket %s: %w", operation, key, s.bucket, ErrNotFound)
	case errors.Is(err, ErrDamaged):
		return fmt.Errorf("%s %s from bucket %s: %w", operation, key, s.bucket, err)
	case response.Code == "XMinioStorageFull":
		return fmt.Errorf("%s %s: %w: free space for %s; what waits for it goes on by itself",
			operation, key, ErrFull, s.url)
	case errors.As(err, &network):
		return fmt.Errorf("%s %s: the store at %s does not answer: %w", operation, key, s.url, err)
	}
	return fmt.Errorf("%s %s at %s: %w", operation, key, s.url, err)
}

// IsLost reports whether an error says that an object is missing or damaged.
func IsLost(err error) bool { return errors.Is(err, ErrNotFound) || errors.Is(err, ErrDamaged) }
