package artifact

import (
	"context"
	"fmt"

	"github.com/epb-nco/epb/internal/store"
	"github.com/epb-nco/epb/internal/student"
	"github.com/epb-nco/epb/internal/teacher"
)

// Teacher returns the policy of a checkpoint; name is the name of its file.
func (s *Store) Teacher(ctx context.Context, ref store.Ref, name string) (teacher.Teacher, error) {
	return through(ctx, s.memory, "teacher/"+name+"/"+ref.Hash, func() (teacher.Teacher, int64, error) {
		data, err := s.Get(ctx, ref)
		if err != nil {
			return teacher.Teacher{}, 0, fmt.Errorf("teacher: %w", err)
		}
		t, err := teacher.Parse(name, data)
		return t, ref.Size, err
	})
}

// Model returns the router of a trainer's checkpoint.
func (s *Store) Model(ctx context.Context, ref store.Ref) (*student.Model, error) {
	return through(ctx, s.memory, "model/"+ref.Hash, func() (*student.Model, int64, error) {
		t, err := s.Trainer(ctx, ref)
		if err != nil {
			return nil, 0, err
		}
		return t.Model, ref.Size, nil
	})
}

// Trainer returns the trainer of a checkpoint. The caller may change it, because it is not shared.
func (s *Store) Trainer(ctx context.Context, ref store.Ref) (*student.Trainer, error) {
	data, err := s.Get(ctx, ref)
	if err != nil {
		return nil, fmt.Errorf("checkpoint: %w", err)
	}
	t, err := student.UnmarshalTrainer(data)
	if err != nil {
		return nil, fmt.Errorf("checkpoint %s: %w: %w", ref.Key(), err, ErrUnreadable)
	}
	return t, nil
}

// PutTrainer stores the checkpoint of a trainer.
func (s *Store) PutTrainer(ctx context.Context, t *student.Trainer) (store.Ref, error) {
	data, err := t.Marshal()
	if err != nil {
		return store.Ref{}, err
	}
	return s.Put(ctx, data)
}
