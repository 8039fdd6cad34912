-- A message in hand is marked beside its status, in a column that no index has: with room on its page, taking a hundred
-- thousand of them changes none of their indexes. The status "sending" is what it looks like from outside.
alter table messages
  add column in_hand_until timestamptz,
  set (fillfactor = 60);

-- By its time the messages of an announcement are found among all others, and a message without an address by none.
drop index messages_announced;
drop index messages_recipient;
create index messages_recipient on messages (lower(recipient), created_at desc) where recipient is not null;
