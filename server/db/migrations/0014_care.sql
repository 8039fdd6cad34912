-- Messages of visitors: an answer goes to whoever wrote, not to the portal.
alter table messages add column reply_to text check (length(reply_to) <= 320);

-- Who is asked again whether all is still so: the longest not asked first.
create index locales_asked on locales (confirmation_asked_at nulls first) where is_public and locale_status = 'active';
