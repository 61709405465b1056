// Asking the server. What goes wrong is an `ApiError` that says so in words.

export class ApiError extends Error {
  constructor(message: string, readonly kind: string) {
    super(message);
  }
}

export function get<T>(path: string): Promise<T> {
  return ask<T>(path, { method: "GET" });
}

export function post<T>(path: string, body?: unknown): Promise<T> {
  const init: RequestInit = { method: "POST" };
  if (body !== undefined) {
    init.headers = { "content-type": "application/json" };
    init.body = JSON.stringify(body);
  }
  return ask<T>(path, init);
}

async function ask<T>(path: string, init: RequestInit): Promise<T> {
  let response: Response;
  try {
    response = await fetch(path, init);
  } catch {
    throw new ApiError("the studio does not answer: is pagemill studio still running?", "gone");
  }
  const text = await response.text();
  if (response.ok) return JSON.parse(text) as T;
  try {
    const { error, kind } = JSON.parse(text) as { error: string; kind: string };
    throw new ApiError(error, kind);
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw new ApiError(text || `the studio answered ${response.status}`, "failed");
  }
}
