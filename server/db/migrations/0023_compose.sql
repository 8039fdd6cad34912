-- Notices: written by one administrator, looked at by a second where many people hear them.

alter table announcements
  -- Goes with a change, so that nobody writes over or approves what somebody else has just changed.
  add column updated_at timestamptz not null default now(),
  add column declined_by uuid references user_profiles on delete set null,
  add column declined_at timestamptz,
  add column decline_reason text check (length(decline_reason) <= 500),
  add column cancelled_at timestamptz,
  add constraint announcements_declined_check check (declined_by is null or declined_by is distinct from created_by);

-- Whoever wrote it does not approve it, nobody approves in another's name, and what was approved is what goes out.
create function guard_announcements() returns trigger language plpgsql as $$
begin
  if old.status = 'for_approval' and new.status = 'waiting'
    and (new.approved_by is null or new.approved_by is not distinct from old.created_by) then
    raise exception 'a second person approves' using errcode = '42501', constraint = 'announcements_second_person';
  end if;
  -- Those who look after the tables themselves may mend them.
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

create index announcements_status on announcements (status, created_at desc);

-- The words an administrator gave to messages are held in memory on every node.
call follow_publicly('message_templates', 'name');
