import { INVALID_RESPONSE } from './attempts.ts'

/** An OpenAI-compatible endpoint. */
export interface ModelSettings {
  url: string
  key: string | undefined
  name: string
}

export interface Prompt {
  system: string
  messages: readonly { role: 'user' | 'assistant'; content: string }[]
  temperature: number
  maxTokens: number
}

export interface Model {
  name: string
  /** The words as they come; the tokens spent once they have all come. Throws whatever went wrong on the way. */
  stream(prompt: Prompt, signal: AbortSignal): { textStream: AsyncIterable<string>; tokens: () => Promise<number> }
}

/** Speaks to a model; nothing is loaded before the first call. Retries are the caller's. */
export function createModel(settings: ModelSettings): Model {
  return {
    name: settings.name,
    stream(prompt, signal) {
      let tokens = 0
      async function* readText() {
        const [{ streamText }, { createOpenAICompatible }] = await Promise.all([
          import('ai'),
          import('@ai-sdk/openai-compatible'),
        ])
        const provider = createOpenAICompatible({
          name: 'model',
          baseURL: settings.url,
          includeUsage: true,
          // The key and the question go to the address that is configured and to no other.
          fetch: (input, init) => fetch(input, { ...init, redirect: 'error' }),
          ...(settings.key ? { apiKey: settings.key } : {}),
        })
        const result = streamText({
          model: provider(settings.name),
          system: prompt.system,
          messages: [...prompt.messages],
          temperature: prompt.temperature,
          maxOutputTokens: prompt.maxTokens,
          maxRetries: 0,
          abortSignal: signal,
          // Said below, where somebody waits for it.
          onError: () => {},
        })
        // Not `textStream`: it ends in silence where the call failed or was given up.
        for await (const part of result.fullStream) {
          if (part.type === 'text-delta') yield part.text
          else if (part.type === 'error') throw part.error
          else if (part.type === 'abort') throw signal.reason ?? new Error(INVALID_RESPONSE)
          else if (part.type === 'finish') tokens = part.totalUsage.totalTokens ?? 0
        }
      }
      return { textStream: readText(), tokens: async () => tokens }
    },
  }
}
