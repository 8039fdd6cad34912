-- A page that changes is quoted anew by every node.
call follow_publicly('knowledge_sources', 'id');
