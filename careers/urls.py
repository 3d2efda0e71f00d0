from django.urls import path

from careers import views

app_name = "careers"

urlpatterns = [
    path("me/", views.me, name="me"),
    path("players/<slug:key>/results/", views.player_results, name="player_results"),
    path("players/<slug:key>/record/", views.record, name="record"),
    path("players/<slug:key>/against/<slug:other>/", views.head_to_head, name="head_to_head"),
]
