-- Reminders of events (001 §9): the rules, and the reminders that were scheduled by them.

create table reminder_rules (
  id text primary key check (length(id) <= 60),
  event_type text not null,
  -- Hours before the event begins.
  reminder_offsets numeric[] not null check (cardinality(reminder_offsets) between 1 and 10),
  enabled boolean not null default true,
  -- {"en": {"title", "message"}, "ar": {…}} with {{variables}} of the event.
  texts jsonb not null,
  priority text not null default 'medium' check (priority in ('low', 'medium', 'high', 'urgent')),
  delivery_methods text[] not null check (delivery_methods <@ '{in-app,email,sms,push,whatsapp}'),
  -- Null: the participants of the event; otherwise every user with this role.
  recipient_role text,
  updated_at timestamptz not null default now(),
  updated_by uuid references user_profiles on delete set null
);

create table scheduled_notifications (
  id uuid primary key default gen_random_uuid(),
  type text not null check (length(type) <= 60),
  title text not null check (length(title) <= 300),
  message text not null check (length(message) <= 5000),
  user_id uuid references user_profiles on delete cascade,
  recipient_role text,
  scheduled_for timestamptz not null,
  priority text not null default 'medium' check (priority in ('low', 'medium', 'high', 'urgent')),
  delivery_methods text[] not null default '{in-app,email}',
  data jsonb not null default '{}',
  action_url text check (action_url like '/%' and action_url not like '//%'),
  status text not null default 'pending' check (status in ('pending', 'sent', 'failed', 'cancelled')),
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  retry_count integer not null default 0,
  max_retries integer not null default 3,
  event_type text,
  event_id text,
  -- Event, recipient and offset: reminded once.
  event_key text unique,
  error text,
  check ((user_id is null) <> (recipient_role is null))
);
create index scheduled_notifications_due on scheduled_notifications (scheduled_for) where status = 'pending';
create index scheduled_notifications_event on scheduled_notifications (event_type, event_id);

do $$
declare tab text;
begin
  foreach tab in array array['reminder_rules', 'scheduled_notifications'] loop
    execute format('alter table %I enable row level security, force row level security', tab);
    execute format('grant select, insert, update, delete on %I to portal_user, portal_service', tab);
    execute format('create policy %I on %I for all to portal_service using (true) with check (true)',
      tab || '_service', tab);
    execute format('create policy %I on %I for all to portal_user
      using (portal_role() = ''admin'') with check (portal_role() = ''admin'')', tab || '_admin', tab);
  end loop;
end $$;
create policy scheduled_notifications_own on scheduled_notifications for select to portal_user
  using (user_id = portal_user_id());

insert into reminder_rules (id, event_type, reminder_offsets, priority, delivery_methods, recipient_role, texts) values
  ('pdos_session', 'pdos_session', '{24,2}', 'high', '{in-app,email,sms}', null, '{
    "en": {"title": "Your PDOS session: {{name}}",
      "message": "It begins on {{starts}} at {{place}}. Please bring your valid ID."},
    "ar": {"title": "جلسة التوجيه قبل المغادرة: {{name}}",
      "message": "تبدأ في {{starts}} في {{place}}. يُرجى إحضار بطاقة هوية سارية."}}'),
  ('virtual_training', 'virtual_training', '{24,2}', 'high', '{in-app,email}', null, '{
    "en": {"title": "Your online training: {{name}}",
      "message": "It begins on {{starts}}. The link to join is in the portal."},
    "ar": {"title": "تدريبك عبر الإنترنت: {{name}}",
      "message": "يبدأ في {{starts}}. رابط الانضمام متاح في البوابة."}}'),
  ('instructor', 'virtual_training', '{2}', 'medium', '{in-app,email}', 'coordinator', '{
    "en": {"title": "You lead a training: {{name}}", "message": "It begins on {{starts}}."},
    "ar": {"title": "تدريب بقيادتك: {{name}}", "message": "يبدأ في {{starts}}."}}'),
  ('application_deadline', 'application_deadline', '{72,24,2}', 'urgent', '{in-app,email,sms}', null, '{
    "en": {"title": "Deadline: {{name}}", "message": "The time to apply ends on {{starts}}."},
    "ar": {"title": "الموعد النهائي: {{name}}", "message": "تنتهي مهلة التقديم في {{starts}}."}}');
