"""The journal: conversion between the domain's events and rows of the log."""
