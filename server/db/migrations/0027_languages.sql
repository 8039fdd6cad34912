-- The interface languages are a list of the code: the database asks for a language code only.
alter table advisory_subscriptions drop constraint advisory_subscriptions_language_check;
alter table advisory_subscriptions add check (language ~ '^[a-z]{2}$');
alter table message_templates drop constraint message_templates_language_check;
alter table message_templates add check (language ~ '^[a-z]{2}$');

-- Tagalog for the reminders of 0018, where an administrator has not changed the English text.
update reminder_rules r set texts = r.texts || jsonb_build_object('tl', t.tl)
from (values
  ('pdos_session', jsonb '{"title": "Your PDOS session: {{name}}",
      "message": "It begins on {{starts}} at {{place}}. Please bring your valid ID."}',
    jsonb '{"title": "PDOS session ninyo: {{name}}",
      "message": "Magsisimula ito: {{starts}}, sa {{place}}. Dalhin ang valid ID ninyo."}'),
  ('virtual_training', '{"title": "Your online training: {{name}}",
      "message": "It begins on {{starts}}. The link to join is in the portal."}',
    '{"title": "Online training ninyo: {{name}}",
      "message": "Magsisimula ito: {{starts}}. Nasa portal ang link para makasali."}'),
  ('instructor', '{"title": "You lead a training: {{name}}", "message": "It begins on {{starts}}."}',
    '{"title": "Kayo ang mamumuno sa training: {{name}}", "message": "Magsisimula ito: {{starts}}."}'),
  ('application_deadline', '{"title": "Deadline: {{name}}", "message": "The time to apply ends on {{starts}}."}',
    '{"title": "Deadline: {{name}}", "message": "Huling araw at oras ng pag-apply: {{starts}}."}')
) as t (id, en, tl)
where r.id = t.id and r.texts -> 'en' = t.en and not r.texts ? 'tl';
