-- What a call to send adds to a message beyond its words: sender, headers, media, and what a push message carries.
alter table messages add column extras jsonb check (jsonb_typeof(extras) = 'object');
