"""The HTTP surface: routers, schemas and the rendering of errors."""
