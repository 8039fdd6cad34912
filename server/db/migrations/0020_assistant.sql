-- The assistant: facts with their sources, pages it may quote, conversations, and questions to answer better.

-- A record, never prose: its code and value are phrased in every language by the portal.
create table assistant_facts (
  id text primary key check (id ~ '^[a-z0-9_.A-Z-]{3,120}$'),
  kind text not null check (kind in ('rule', 'requirement', 'hotline')),
  -- Null: everywhere.
  country_code text check (country_code ~ '^[A-Z]{2}$'),
  -- 'pdos.validity', 'visa', 'police'.
  code text not null check (code ~ '^[a-z_.]{2,60}$'),
  purpose text check (purpose in ('work', 'study', 'visit')),
  value jsonb not null default '{}' check (jsonb_typeof(value) = 'object'),
  source_title text not null check (length(source_title) between 1 and 300),
  source_url text not null check (source_url ~ '^(https://|/)' and length(source_url) <= 1000),
  checked_on date not null,
  -- The last day on which it is shown without a warning.
  valid_until date not null check (valid_until >= checked_on),
  position integer not null default 0,
  is_active boolean not null default true,
  updated_at timestamptz not null default now(),
  updated_by uuid references user_profiles on delete set null
);
create index assistant_facts_list on assistant_facts (kind, country_code, position, id);
call follow_publicly('assistant_facts', 'id');

create table knowledge_sources (
  id uuid primary key default gen_random_uuid(),
  page_title text not null check (length(page_title) between 1 and 300),
  page_url text not null unique check (page_url ~ '^(https?://|/)' and length(page_url) <= 1000),
  source_domain text not null check (length(source_domain) between 1 and 253),
  language text not null check (length(language) between 2 and 12),
  -- Fetched from its address, or entered as text or Markdown.
  origin text not null check (origin in ('address', 'text', 'markdown')),
  content_hash text not null,
  -- When its content last matched the page.
  checked_at timestamptz not null default now(),
  -- Why the last fetch failed.
  failure text check (length(failure) <= 500),
  created_at timestamptz not null default now(),
  created_by uuid references user_profiles on delete set null
);
create index knowledge_sources_list on knowledge_sources (source_domain, page_title, id);
-- Every node quotes the new text of a page that changed.
call follow_publicly('knowledge_sources', 'id');

create table knowledge_chunks (
  id uuid primary key default gen_random_uuid(),
  source_id uuid not null references knowledge_sources on delete cascade,
  position integer not null,
  content text not null check (length(content) between 1 and 4000),
  -- page_title, page_url, source_domain and the heading above it.
  metadata jsonb not null,
  language text not null,
  -- Folded like every text that is searched.
  search_text text not null,
  search_words tsvector generated always as (to_tsvector('simple', search_text)) stored,
  unique (source_id, position)
);
create index knowledge_chunks_trigrams on knowledge_chunks using gin (search_text gin_trgm_ops);
create index knowledge_chunks_search_words on knowledge_chunks using gin (search_words);

create table ai_conversations (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references user_profiles on delete cascade,
  session_id text check (length(session_id) <= 100),
  title text not null default 'New Conversation' check (length(title) between 1 and 200),
  status text not null default 'active' check (status in ('active', 'handed_over', 'deleted')),
  language text not null default 'en',
  created_at timestamptz not null default now(),
  last_activity timestamptz not null default now(),
  metadata jsonb not null default '{}',
  -- Its messages are gone; the row stays so that no copy in a browser restores it (F-20).
  deleted_at timestamptz check ((deleted_at is not null) = (status = 'deleted'))
);
create index ai_conversations_own on ai_conversations (user_id, last_activity desc, id) where deleted_at is null;
create index ai_conversations_age on ai_conversations (last_activity);

create table chat_messages (
  id uuid primary key default gen_random_uuid(),
  conversation_id uuid not null references ai_conversations on delete cascade,
  sender_type text not null check (sender_type in ('user', 'assistant')),
  content text not null check (length(content) between 1 and 20000),
  message_order integer not null check (message_order >= 0),
  tokens_used integer,
  model_used text,
  processing_time_ms integer,
  metadata jsonb not null default '{}',
  created_at timestamptz not null default now(),
  format text not null default 'text' check (format in ('text', 'markdown')),
  reply_to uuid references chat_messages on delete set null,
  unique (conversation_id, message_order)
);
create index chat_messages_content on chat_messages using gin (lower(content) gin_trgm_ops);

-- Context of a conversation: the place, the purpose, the pending question.
create table ai_process_states (
  conversation_id uuid primary key references ai_conversations on delete cascade,
  process_type text not null,
  current_step text not null,
  step_data jsonb not null default '{}',
  next_actions jsonb not null default '[]'
);

create table ai_user_preferences (
  user_id uuid primary key references user_profiles on delete cascade,
  preferred_language text,
  cultural_preferences jsonb not null default '{}',
  -- Settings of the chat page.
  settings jsonb not null default '{}',
  updated_at timestamptz not null default now()
);

-- Questions and their results, without the user: to find what should be answered better.
create table assistant_questions (
  id uuid primary key default gen_random_uuid(),
  asked_at timestamptz not null default now(),
  language text not null,
  intent text not null,
  status text not null check (status in ('answered', 'partly', 'unknown', 'refused', 'handed_over', 'fallback')),
  country_code text check (country_code ~ '^[A-Z]{2}$'),
  record_ids text[] not null default '{}',
  model_used text,
  tokens_used integer not null default 0,
  processing_time_ms integer not null,
  -- Stored only where the answer was insufficient, without numbers and addresses; never where there was danger.
  question text check (length(question) <= 500),
  rating smallint check (rating in (-1, 1)),
  comment text check (length(comment) <= 1000),
  rated_at timestamptz,
  reviewed_at timestamptz,
  reviewed_by uuid references user_profiles on delete set null
);
create index assistant_questions_review on assistant_questions (asked_at desc, id)
  where reviewed_at is null and (status in ('unknown', 'partly') or rating = -1);
create index assistant_questions_age on assistant_questions (asked_at);

-- The day's use of the model's budget, for all nodes together.
create table assistant_spending (
  day date primary key,
  calls integer not null default 0,
  tokens bigint not null default 0
);

do $$
declare tab text;
begin
  foreach tab in array array['assistant_facts', 'knowledge_sources', 'knowledge_chunks', 'ai_conversations',
    'chat_messages', 'ai_process_states', 'ai_user_preferences', 'assistant_questions', 'assistant_spending'] loop
    execute format('alter table %I enable row level security, force row level security', tab);
    execute format('create policy %I on %I for all to portal_service using (true) with check (true)',
      tab || '_service', tab);
    execute format('grant select, insert, update, delete on %I to portal_service', tab);
  end loop;
  -- Maintained by administrators.
  foreach tab in array array['assistant_facts', 'knowledge_sources', 'knowledge_chunks', 'assistant_questions'] loop
    execute format('create policy %I on %I for all to portal_user
      using (portal_role() = ''admin'') with check (portal_role() = ''admin'')', tab || '_admin', tab);
    execute format('grant select, insert, update, delete on %I to portal_user', tab);
  end loop;
  -- Public.
  foreach tab in array array['knowledge_sources', 'knowledge_chunks'] loop
    execute format('create policy %I on %I for select to portal_anonymous, portal_user using (true)',
      tab || '_public', tab);
    execute format('grant select on %I to portal_anonymous', tab);
  end loop;
end $$;
create policy assistant_facts_public on assistant_facts for select to portal_anonymous, portal_user using (is_active);
grant select on assistant_facts to portal_anonymous;

-- Conversations are the user's own: not even an administrator reads them.
create policy ai_conversations_own on ai_conversations for all to portal_user
  using (user_id = portal_user_id()) with check (user_id = portal_user_id());
create policy ai_user_preferences_own on ai_user_preferences for all to portal_user
  using (user_id = portal_user_id()) with check (user_id = portal_user_id());
create policy chat_messages_own on chat_messages for all to portal_user
  using (exists (select from ai_conversations c where c.id = conversation_id and c.user_id = portal_user_id()))
  with check (exists (select from ai_conversations c
    where c.id = conversation_id and c.user_id = portal_user_id() and c.deleted_at is null));
create policy ai_process_states_own on ai_process_states for all to portal_user
  using (exists (select from ai_conversations c where c.id = conversation_id and c.user_id = portal_user_id()))
  with check (exists (select from ai_conversations c where c.id = conversation_id and c.user_id = portal_user_id()));
grant select, insert, update, delete on ai_conversations, chat_messages, ai_process_states, ai_user_preferences
  to portal_user;
