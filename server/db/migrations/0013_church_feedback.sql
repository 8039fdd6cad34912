-- What visitors send about churches: corrections, and messages to a locale.

-- Corrections of the record. Only those who look after the locale see them.
create table locale_corrections (
  id uuid primary key default gen_random_uuid(),
  locale_id uuid not null references locales on delete cascade,
  kind text not null check (kind in ('wrong', 'closed', 'moved', 'other')),
  -- Fields of the locale with the values the visitor proposes.
  proposed jsonb not null default '{}',
  message text not null default '' check (length(message) <= 2000),
  contact text check (length(contact) <= 320),
  language text not null default 'en',
  status text not null default 'open' check (status in ('open', 'applied', 'declined')),
  created_at timestamptz not null default now(),
  decided_at timestamptz,
  decided_by uuid references user_profiles on delete set null,
  decision_note text check (length(decision_note) <= 500),
  check ((status = 'open') = (decided_at is null))
);
create index locale_corrections_open on locale_corrections (created_at) where status = 'open';
create index locale_corrections_locale on locale_corrections (locale_id, created_at desc);

-- A question, or an arrival. Forwarded without showing the servants' addresses.
create table locale_messages (
  id uuid primary key default gen_random_uuid(),
  locale_id uuid not null references locales on delete cascade,
  kind text not null check (kind in ('question', 'arrival')),
  sender_name text not null check (length(sender_name) between 1 and 200),
  sender_contact text not null check (length(sender_contact) between 3 and 320),
  arrives_on date,
  language text not null default 'en' check (length(language) <= 35),
  message text not null default '' check (length(message) <= 2000),
  status text not null default 'open' check (status in ('open', 'answered')),
  -- Number of servants who received it; 0: a coordinator has to answer.
  recipient_count integer not null default 0,
  created_at timestamptz not null default now(),
  answered_at timestamptz,
  answered_by uuid references user_profiles on delete set null,
  check ((status = 'open') = (answered_at is null))
);
create index locale_messages_open on locale_messages (created_at) where status = 'open';
create index locale_messages_locale on locale_messages (locale_id, created_at desc);

do $$
declare tab text;
begin
  foreach tab in array array['locale_corrections', 'locale_messages'] loop
    execute format('alter table %I enable row level security, force row level security', tab);
    execute format('grant select, insert, update, delete on %I to portal_user, portal_service', tab);
    execute format('create policy %I on %I for all to portal_service using (true) with check (true)',
      tab || '_service', tab);
    execute format('create policy %I on %I for all to current_user using (true) with check (true)',
      tab || '_owner', tab);
    execute format('create policy %I on %I for all to portal_user
      using (portal_role() = ''admin'') with check (portal_role() = ''admin'')', tab || '_admin', tab);
    execute format('create policy %I on %I for all to portal_user
      using (portal_looks_after(locale_id)) with check (portal_looks_after(locale_id))', tab || '_care', tab);
  end loop;
end $$;
