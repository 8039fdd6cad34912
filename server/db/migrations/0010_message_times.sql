-- A code or link is not sent after its time has run out; finished messages are forgotten by their age.
alter table messages add column expires_at timestamptz;
create index messages_recipient on messages (lower(recipient), created_at desc);
