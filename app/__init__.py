"""Lethe: memory-as-a-service for LLM agents, a forgetting system."""
