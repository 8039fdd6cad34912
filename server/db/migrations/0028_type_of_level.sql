-- A note such as "Latest update: the health section was edited" was taken for what an advisory is about, and subscribers
-- to security missed "Avoid all travel". The next start reads the types again; these sources state no type themselves.
update travel_advisories a
set advisory_types = null, advisory_type = 'general'
from advisory_sources s
where s.id = a.source_id and (s.reader in ('uk', 'ca', 'de', 'au') or s.mapping is not null);
