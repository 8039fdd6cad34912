-- Questions and answers of the travel FAQ.

create table faq_entries (
  slug text primary key check (slug ~ '^[a-z0-9-]{2,80}$'),
  category text not null,
  position integer not null default 0,
  question_en text not null,
  answer_en text not null,
  question_ar text not null,
  answer_ar text not null,
  is_published boolean not null default true,
  updated_at timestamptz not null default now()
);
alter table faq_entries enable row level security, force row level security;
create policy faq_public on faq_entries for select to portal_anonymous, portal_user using (is_published);
create policy faq_admin on faq_entries for all to portal_user
  using (portal_role() = 'admin') with check (portal_role() = 'admin');
create policy faq_service on faq_entries for all to portal_service using (true) with check (true);
grant select on faq_entries to portal_anonymous;
grant select, insert, update, delete on faq_entries to portal_user, portal_service;
call follow_publicly('faq_entries', 'slug');
