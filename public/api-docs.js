// Shows /api/openapi.json as a page: text only, nothing from the document is ever markup.
const list = document.getElementById('list')
const make = (tag, text, children = []) => {
  const element = document.createElement(tag)
  if (text) element.textContent = text
  element.append(...children)
  return element
}

function table(parameters) {
  const rows = parameters.map((p) =>
    make('tr', '', [
      make('td', '', [make('code', p.name)]),
      make('td', `${p.in}${p.required ? ', required' : ''}`),
      make('td', p.schema?.description ?? ''),
      make('td', '', [make('code', JSON.stringify({ ...p.schema, description: undefined }))]),
    ]),
  )
  return make('table', '', rows)
}

const response = await fetch('/api/openapi.json')
const spec = await response.json()
list.replaceChildren(
  ...Object.entries(spec.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const section = make('section', '', [
        make('h2', '', [make('code', `${method.toUpperCase()} ${path}`)]),
        make('p', `${operation.summary} (access: ${operation['x-access']})`),
      ])
      if (operation.parameters.length > 0) section.append(table(operation.parameters))
      const body = operation.requestBody?.content['application/json'].schema
      if (body)
        section.append(make('details', '', [make('summary', 'Body'), make('pre', JSON.stringify(body, null, 2))]))
      const answers = make('details', '', [make('summary', `Answers: ${Object.keys(operation.responses).join(', ')}`)])
      answers.append(make('pre', JSON.stringify(operation.responses, null, 2)))
      section.append(answers)
      return section
    }),
  ),
)
