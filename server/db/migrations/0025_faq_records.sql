-- Questions of the travel FAQ become records that administrators edit: an id, texts by language (another language needs
-- no migration), and answers in Markdown, since people who know no HTML write them.

-- Entries of the shipped file that were loaded once: a deleted one does not come back, and one with other content than
-- was loaded has been edited and stays as it is. Null: edited before this table existed.
create table shipped_faq_entries (
  slug text primary key,
  content_hash text
);
-- Whatever the roles of the owner, who migrates: every row is converted.
alter table faq_entries no force row level security;

-- Texts of the version before this one; any other text was edited.
insert into shipped_faq_entries (slug, content_hash)
select slug, case when is_published
  and md5(concat_ws('|', category, question_en, answer_en, question_ar, answer_ar)) in (
  'ff365cab1c25c72310d2f29ccd5b989e', '3849c998a9f20d9de586153ee7263678', 'e401dc5649d74251400b4cc4adc47812',
  '77827a35e820a0bce0be7420a9d78e11', '9e0b05816ea1721d487213251ea03731', '9b0dc078d26c6b77ad1ebb8531a1ef26',
  '8389c4b1af1965e12f97d952b1e9eb5e', 'c3c6dc1a711909e1ce0fb26deeb71141', 'b8c85dc23d1acb6ebf1851f90153b13b',
  '49d9ed741a3f70234d1004471a5cd491', '2e9b5eae629f918ceb12dcc2ceb7d82c', 'd9283eab77546b567b95488f822c2e48',
  '5ccbd86a1fe9b55e42c2b4df2bcd56e0', 'cdfd3c06b7fba9aec2badb765f08ce45', 'f410fa5d42fafeced29df48e09c3a0cb',
  '1bac1bea680b8410d841127fbbc3a137', '4e18c211e3ad890f9054686374105861', '20f10b25cbecf381349c03e550e5bc97',
  '588b097f800c145b0a41e6a357c36fe4', 'ece60b55d5ef2178d992061acffd0e58', 'c131aeab8f85007932a4bd9a671b9927',
  'aed2dcf51cbfaf39b16fcf5c9bc33987', 'ad186542798965b336d15dfd12b164bb', 'a60002f17bc791d613f001c0b878e934',
  '5b605ab6f6fb41408c9b44621e85cd16', 'cdfec4d9f455803ccca31e35801ea524', '89c617ec611db53cd783724488211522',
  '4681cb0095021a11e260ed5ec048064e', 'ba7ec27fb15e8b3d8b02eea8ca3cad50', '462740eda670008103e0a89ed4730051',
  'a878fccb12e562aca783ee4de0985ee4', '54812d9360e927fa8a889eadb081b4b7'
) then '' end
from faq_entries;
create function markdown_of(html text) returns text language plpgsql as $$
declare step text[]; result text := html;
begin
  foreach step slice 1 in array array[
    ['<a href="([^"]*)"[^>]*>([^<]*)</a>', '[\2](\1)'], ['</?(strong|b)>', '**'], ['</?(em|i)>', '*'],
    ['</?[uo]l[^>]*>', E'\n'], ['<li[^>]*>', '- '], ['</li>', E'\n'], ['</p>', E'\n\n'], ['<br[^>]*>', E'\n'],
    ['<[^>]*>', ''], ['&lt;', '<'], ['&gt;', '>'], ['&quot;', '"'], ['&#39;', ''''], ['&nbsp;', ' '],
    ['&amp;', '&'], [E'\n{3,}', E'\n\n'], ['^\s+|\s+$', '']]
  loop
    result := regexp_replace(result, step[1], step[2], 'g');
  end loop;
  return result;
end $$;

alter table faq_entries
  add column id uuid not null default gen_random_uuid(),
  add column question jsonb,
  add column answer jsonb,
  add column created_at timestamptz not null default now();
update faq_entries set
  question = jsonb_build_object('en', question_en, 'ar', question_ar),
  answer = jsonb_build_object('en', markdown_of(answer_en), 'ar', markdown_of(answer_ar));
drop function markdown_of;
update shipped_faq_entries s
set content_hash = md5(concat_ws('|', category, position, question, answer, is_published))
from faq_entries e where e.slug = s.slug and content_hash = '';
alter table shipped_faq_entries enable row level security, force row level security;
create policy shipped_faq_service on shipped_faq_entries for all to portal_service using (true) with check (true);
grant select, insert, update, delete on shipped_faq_entries to portal_service;

alter table faq_entries
  force row level security,
  drop constraint faq_entries_pkey,
  add constraint faq_entries_pkey primary key (id),
  add constraint faq_entries_slug_key unique (slug),
  alter column question set not null,
  alter column answer set not null,
  drop column question_en, drop column question_ar, drop column answer_en, drop column answer_ar,
  add constraint faq_entries_texts check (
    question ->> 'en' <> '' is true and question ->> 'ar' <> '' is true
    and answer ->> 'en' <> '' is true and answer ->> 'ar' <> '' is true);
create unique index faq_entries_question_en on faq_entries (lower(question ->> 'en'));
create unique index faq_entries_question_ar on faq_entries (lower(question ->> 'ar'));
