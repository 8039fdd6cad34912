-- Announcements: one thing sent to an audience (an advisory's version, a notice, a roll call, a reminder), who
-- subscribed to advisories, and the templates.

-- Written in the transaction of its cause; one statement fans it out later, once.
create table announcements (
  id uuid primary key default gen_random_uuid(),
  -- Subject and version: announced once.
  announcement_key text not null unique check (length(announcement_key) <= 200),
  kind text not null check (kind in ('advisory', 'notice', 'roll_call', 'reminder')),
  priority text not null default 'medium' check (priority in ('low', 'medium', 'high', 'urgent')),
  template text not null,
  -- Values for the template, by language: {"en": {…}, "ar": {…}}.
  texts jsonb not null,
  -- Path of a page in the portal.
  action_url text check (action_url like '/%' and action_url not like '//%'),
  -- Of an advisory: which one, in which version, and why it is announced.
  advisory_id uuid references travel_advisories on delete cascade,
  advisory_version integer,
  reason text check (reason in ('new', 'escalated', 'instruction_changed', 'withdrawn', 'by_hand')),
  -- Of a notice: audience and channels. Null: the subscribers of the advisory, by their preferences.
  audience jsonb,
  channels text[] check (channels <@ '{in-app,browser,email,sms,push,whatsapp}'),
  status text not null default 'waiting' check (status in
    ('draft', 'for_approval', 'waiting', 'sent', 'cancelled')),
  -- Null: sent as soon as it is waiting.
  scheduled_for timestamptz,
  created_by uuid references user_profiles on delete set null,
  approved_by uuid references user_profiles on delete set null,
  approved_at timestamptz,
  declined_by uuid references user_profiles on delete set null,
  declined_at timestamptz,
  decline_reason text check (length(decline_reason) <= 500),
  cancelled_at timestamptz,
  created_at timestamptz not null default now(),
  -- Sent with a change, so that nobody overwrites or approves what another user has just changed.
  updated_at timestamptz not null default now(),
  sent_at timestamptz,
  -- Counted at the fan-out.
  recipient_count integer,
  check (approved_by is null or approved_by is distinct from created_by),
  check ((kind = 'advisory') = (advisory_id is not null)),
  constraint announcements_declined_check check (declined_by is null or declined_by is distinct from created_by)
);
create index announcements_waiting on announcements (coalesce(scheduled_for, created_at)) where status = 'waiting';
create index announcements_status on announcements (status, created_at desc);
create index announcements_created on announcements (created_at desc);
create index announcements_advisory on announcements (advisory_id, advisory_version) where advisory_id is not null;

-- Which advisories a user wants to be notified of (N-17).
create table advisory_subscriptions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references user_profiles on delete cascade,
  -- Sorted, without duplicates; empty: every country.
  countries text[] not null default '{}' check (array_to_string(countries, ',') ~ '^([A-Z]{2}(,[A-Z]{2})*)?$'),
  severity_levels text[] not null default '{emergency,critical,warning}'
    check (severity_levels <@ '{emergency,critical,warning,caution,info}' and cardinality(severity_levels) > 0),
  -- Empty: every type.
  advisory_types text[] not null default '{}',
  channels text[] not null default '{in-app,email}'
    check (channels <@ '{in-app,browser,email,sms,push,whatsapp}' and cardinality(channels) > 0),
  language text not null default 'en' check (language in ('en', 'ar')),
  urgent_only boolean not null default false,
  active boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  last_notified_at timestamptz,
  unique (user_id, countries)
  -- As push_subscriptions: setting last_notified_at changes no index.
) with (fillfactor = 50);
create index advisory_subscriptions_countries on advisory_subscriptions using gin (countries) where active;

-- Announcements of advisories that were not sent because very many changed at once: an administrator releases or drops
-- each.
create table withheld_announcements (
  id uuid primary key default gen_random_uuid(),
  source_id text not null references advisory_sources,
  advisory_id uuid not null references travel_advisories on delete cascade,
  advisory_version integer not null,
  reason text not null check (reason in ('new', 'escalated', 'instruction_changed', 'withdrawn')),
  priority text not null check (priority in ('low', 'medium', 'high', 'urgent')),
  announcement_key text not null unique,
  -- { en: { title, message, … }, ar: … } as it would have been sent.
  texts jsonb not null,
  withheld_at timestamptz not null default now(),
  decided_at timestamptz,
  decision text check (decision in ('released', 'dropped')),
  check ((decided_at is null) = (decision is null))
);
create index withheld_announcements_open on withheld_announcements (source_id, withheld_at) where decided_at is null;
create index withheld_announcements_advisory on withheld_announcements (advisory_id);

-- Templates that an administrator changed: the latest version applies, earlier ones stay.
create table message_templates (
  name text not null check (length(name) <= 60),
  language text not null check (language in ('en', 'ar')),
  version integer not null check (version > 0),
  -- Null restores the portal's own text.
  content jsonb,
  created_by uuid references user_profiles on delete set null,
  created_at timestamptz not null default now(),
  primary key (name, language, version)
);
call follow_publicly('message_templates', 'name');

/* Places to which the caller may send announcements: null without a limit, and for those who may send none. */
create function portal_audience_scope() returns jsonb language sql stable security definer set search_path = public as
$$ select case
     when not portal_is_coordinator() then null
     when portal_role() <> 'local_servant' and portal_scope_countries() is null and portal_scope_chapters() is null
       then '{"everywhere": true}'::jsonb
     else jsonb_build_object(
       'countries', to_jsonb(array(select c from unnest(portal_scope_countries()) c order by c)),
       'chapters', to_jsonb(array(select c from unnest(portal_scope_chapters()) c
         union select l from portal_led_chapters() l order by 1))) end $$;

/* The chapters to which the caller may send announcements. */
create function audience_chapters() returns table (id uuid, chapter_name text, country_code text) language sql stable
  security definer set search_path = public as
$$ select c.id, c.chapter_name, c.country_code from mfa_local_chapters c, (select portal_audience_scope() as places) w
   where portal_role() = 'admin' or w.places ? 'everywhere' or w.places -> 'chapters' ? c.id::text
     or w.places -> 'countries' ? c.country_code
   order by c.chapter_name collate "C", c.id limit 2000 $$;
revoke all on function portal_audience_scope, audience_chapters from public;
grant execute on function portal_audience_scope, audience_chapters to portal_user, portal_service;

do $$
declare tab text;
begin
  foreach tab in array array['announcements', 'advisory_subscriptions', 'withheld_announcements',
    'message_templates'] loop
    execute format('alter table %I enable row level security, force row level security', tab);
    continue when tab = 'withheld_announcements';
    execute format('create policy %I on %I for all to portal_service using (true) with check (true)',
      tab || '_service', tab);
    execute format('grant select, insert, update, delete on %I to portal_user, portal_service', tab);
  end loop;
  foreach tab in array array['announcements', 'message_templates'] loop
    execute format('create policy %I on %I for all to portal_user
      using (portal_role() = ''admin'') with check (portal_role() = ''admin'')', tab || '_admin', tab);
  end loop;
end $$;
create policy advisory_subscriptions_own on advisory_subscriptions for all to portal_user
  using (user_id = portal_user_id()) with check (user_id = portal_user_id());
create policy withheld_admin on withheld_announcements for all to portal_user
  using (portal_role() = 'admin') with check (portal_role() = 'admin');
create policy withheld_service on withheld_announcements for all to portal_service using (true) with check (true);
grant select, insert, update on withheld_announcements to portal_user, portal_service;

-- For functions with security definer, which belong to the login role.
create policy announcements_owner on announcements for select to current_user using (true);
-- Coordinators write notices. Each holds the places it goes to, and is accepted only while these are the author's
-- scope.
create policy announcements_own on announcements for select to portal_user
  using (kind = 'notice' and created_by = portal_user_id() and portal_is_coordinator());
create policy announcements_own_new on announcements for insert to portal_user
  with check (kind = 'notice' and template = 'notice' and status = 'draft' and created_by = portal_user_id()
    and audience -> 'within' = portal_audience_scope());
-- Cancelling is always allowed, whatever the scope is by now.
create policy announcements_own_change on announcements for update to portal_user
  using (kind = 'notice' and created_by = portal_user_id() and portal_is_coordinator())
  with check (kind = 'notice' and template = 'notice' and created_by = portal_user_id() and approved_by is null
    and portal_is_coordinator() and (status = 'cancelled' or audience -> 'within' = portal_audience_scope()));
create policy announcements_own_drafts on announcements for delete to portal_user
  using (kind = 'notice' and status = 'draft' and created_by = portal_user_id() and portal_is_coordinator());

-- At most 20 subscriptions for a user, also when several are added at once.
create function limit_subscriptions() returns trigger language plpgsql security definer set search_path = public as $$
begin
  perform from user_profiles where id = new.user_id for update;
  if (select count(*) from advisory_subscriptions where user_id = new.user_id) >= 20 then
    raise exception 'at most 20 subscriptions' using errcode = '23514', constraint = 'advisory_subscriptions_most';
  end if;
  return new;
end $$;
create trigger limit_subscriptions before insert on advisory_subscriptions
  for each row execute function limit_subscriptions();

-- Authors do not approve their own notice, nobody approves in another's name, and what was approved is what is sent.
create function guard_announcements() returns trigger language plpgsql as $$
begin
  if old.status = 'for_approval' and new.status = 'waiting'
    and (new.approved_by is null or new.approved_by is not distinct from old.created_by) then
    raise exception 'a second person approves' using errcode = '42501', constraint = 'announcements_second_person';
  end if;
  -- The owner of the tables may repair them.
  if current_user <> 'portal_user' then return new; end if;
  if (new.approved_by is distinct from old.approved_by and new.approved_by is distinct from portal_user_id())
    or (new.declined_by is distinct from old.declined_by and new.declined_by is not null
      and new.declined_by is distinct from portal_user_id())
    or (new.created_by is distinct from old.created_by
      and (old.status <> 'draft' or new.created_by is distinct from portal_user_id())) then
    raise exception 'in the own name only' using errcode = '42501', constraint = 'announcements_own_name';
  end if;
  if old.status <> 'draft' and (new.texts, new.audience, new.channels, new.priority, new.template, new.action_url)
    is distinct from (old.texts, old.audience, old.channels, old.priority, old.template, old.action_url) then
    raise exception 'only a draft is changed' using errcode = '42501', constraint = 'announcements_only_drafts';
  end if;
  return new;
end $$;
create trigger guard_announcements before update on announcements for each row execute function guard_announcements();

/* Pending notices of an author whose role or scope changed become drafts again. */
create function return_announcements_to_draft() returns trigger language plpgsql as $$
begin
  update announcements set status = 'draft', updated_at = greatest(now(), updated_at + interval '1 millisecond')
    where created_by = new.id and status in ('waiting', 'for_approval') and audience ? 'within';
  return null;
end $$;
create trigger return_announcements_to_draft after update on user_profiles for each row
  when ((old.role, old.scope_countries, old.scope_chapters, old.scope_everywhere, old.profile_status, old.role_ends_at)
    is distinct from
    (new.role, new.scope_countries, new.scope_chapters, new.scope_everywhere, new.profile_status, new.role_ends_at))
  execute function return_announcements_to_draft();
